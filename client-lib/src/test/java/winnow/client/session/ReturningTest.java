package winnow.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.Awaiting;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.WinnowConnectionFactory;
import winnow.client.error.ErrorCodes;
import winnow.client.error.JmsErrors;
import winnow.client.option.InterruptionListener;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.DeleteSubscription;

/// Connections that are lost and come back: what becomes of consumers and sessions.
class ReturningTest {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final UUID STORE = UUID.fromString("2f1c9d7a-0000-4000-8000-000000000001");

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
    private ScriptedBroker broker;
    private Connection connection;

    @BeforeEach
    void listen() throws IOException, JMSException {
        broker = new ScriptedBroker();
        broker.onHello(hello -> welcome(ScriptedBroker.CONNECTION_ID));
        connect("clientID=desk-1");
    }

    private static ControlFrame.Welcome welcome(long id) {
        return new ControlFrame.Welcome(
                Protocol.MAJOR_VERSION,
                Protocol.MINOR_VERSION,
                Protocol.STORED | Protocol.RECALL | Protocol.RESUME,
                id,
                0,
                1024 * 1024,
                1024 * 1024,
                "scripted",
                STORE);
    }

    private void connect(String options) throws JMSException {
        WinnowConnectionFactory factory = broker.returningFactory(options);
        factory.setInterruptionListener(
                new InterruptionListener() {
                    @Override
                    public void onInterrupted(Connection of, String peer, JMSException cause) {
                        heard.add("interrupted " + cause.getErrorCode());
                    }

                    @Override
                    public void onResumed(Connection of, String peer, Duration gap) {
                        heard.add("resumed " + broker.url().endsWith(peer) + !gap.isNegative());
                    }
                });
        connection = factory.createConnection();
        connection.setExceptionListener(told::add);
        connection.start();
        broker.await(FrameType.HELLO);
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private ControlFrame.Hello cut() {
        broker.cut();
        return (ControlFrame.Hello) broker.await(FrameType.HELLO).control();
    }

    private Consume awaitConsume() {
        return (Consume) broker.await(FrameType.CONSUME).control();
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }

    private static CompletableFuture<String> receiving(MessageConsumer consumer) {
        return CompletableFuture.supplyAsync(() -> JmsErrors.call(() -> text(consumer.receive())));
    }

    @Test
    void shouldGoOnWaitingForMessagesOfATopic() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
        broker.await(FrameType.SUBSCRIBE);
        CompletableFuture<String> received = receiving(consumer);

        // when
        ControlFrame.Hello again = cut();
        var subscribed = (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
        broker.deliver(subscribed.subscriptionId(), TestMessages.text("after"));

        // then
        assertThat(received.get(10, TimeUnit.SECONDS)).isEqualTo("after");
        assertThat(again.clientId()).isEqualTo("desk-1");
        assertThat(Objects.requireNonNull(again.resumption()).attempt()).isEqualTo(2);
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("interrupted CONNECTION_LOST");
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("resumed truetrue");
        assertThat(told).isEmpty();
    }

    @Test
    void shouldGiveTheCreditOfATopicAnewWithoutWhatWaitsHere() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
        var first = (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
        byte[][] two = TestMessages.texts("a", "b");
        broker.deliver(first.subscriptionId(), two[0], two[1]);
        Awaiting.until(() -> ((WinnowConsumer) consumer).inbox().hasArrived());

        // when
        cut();
        var next = (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();

        // then
        assertThat(next.creditMessages()).isEqualTo(first.creditMessages() - 2);
        assertThat(next.creditBytes()).isLessThan(first.creditBytes());
        assertThat(text(consumer.receive(DEADLINE_MILLIS))).isEqualTo("a");
        assertThat(text(consumer.receive(DEADLINE_MILLIS))).isEqualTo("b");
    }

    @Test
    void shouldGiveListenersWhatComesAgain() throws Exception {
        // given
        Session session = connection.createSession();
        Queue orders = session.createQueue("orders");
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        session.createConsumer(orders)
                .setMessageListener(message ->
                        got.add(JmsErrors.call(() -> text(message) + message.getJMSRedelivered())));
        Consume first = awaitConsume();
        broker.deliverStored(first.consumer(), 1, 0, TestMessages.text("a"));
        assertThat(got.poll(10, TimeUnit.SECONDS)).isEqualTo("afalse");

        // when
        cut();
        Consume next = awaitConsume();
        broker.deliverStored(next.consumer(), 1, 1, TestMessages.text("a"));

        // then
        assertThat(got.poll(10, TimeUnit.SECONDS)).isEqualTo("atrue");
        assertThat(next.source()).isEqualTo(first.source());
    }

    @Test
    void shouldNotAcknowledgeByAnIdOfTheLostConnection() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        Consume first = awaitConsume();
        broker.deliverStored(first.consumer(), 1, 0, TestMessages.texts("a", "b"));
        Message lost = consumer.receive(DEADLINE_MILLIS);

        // when
        cut();
        Consume next = awaitConsume();
        broker.deliverStored(next.consumer(), 1, 1, TestMessages.texts("a", "b"));

        // then
        Awaiting.until(() -> ((WinnowConsumer) consumer).inbox().hasArrived());
        assertThatThrownBy(lost::acknowledge)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("comes again");
        Message again = consumer.receive(DEADLINE_MILLIS);
        assertThat(text(again)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
        var acknowledged = (Acknowledge) broker.await(FrameType.ACKNOWLEDGE).control();
        assertThat(acknowledged.deliveries()).isEqualTo(DeliveryRanges.of(1));
    }

    @Test
    void shouldForgetWhatWasOnlySentAhead() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        Consume first = awaitConsume();
        broker.deliverStored(first.consumer(), 1, 0, TestMessages.texts("a", "b", "c"));
        assertThat(text(consumer.receive(DEADLINE_MILLIS))).isEqualTo("a");

        // when
        cut();
        Consume next = awaitConsume();
        broker.deliverStored(next.consumer(), 1, 0, TestMessages.text("b"));

        // then
        assertThat(text(consumer.receive(DEADLINE_MILLIS))).isEqualTo("b");
        assertThat(next.creditMessages()).isEqualTo(first.creditMessages());
    }

    @Test
    void shouldStayStopped() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        connection.stop();
        awaitConsume();

        // when
        cut();

        // then
        assertThat(awaitConsume().creditMessages()).isZero();
        assertThat(consumer.receive(1)).isNull();
    }

    @Test
    void shouldEndOnlyTheConsumerThatIsRefused() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer refused = session.createConsumer(session.createQueue("gone"));
        Consume first = awaitConsume();
        MessageConsumer other = session.createConsumer(session.createTopic("t"));
        broker.await(FrameType.SUBSCRIBE);
        broker.holdAnswers(FrameType.CONSUME);

        // when
        cut();
        Consume again = awaitConsume();
        broker.send(
                new ControlFrame.Refused(
                        again.requestId(), ErrorCode.INVALID_DESTINATION.number(), "no queue"));
        var live = (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
        broker.deliver(live.subscriptionId(), TestMessages.text("after"));

        // then
        assertThat(again.source()).isEqualTo(first.source());
        assertThatThrownBy(refused::receive)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("'gone'")
                .hasMessageContaining("could not be made again")
                .hasMessageContaining("no queue");
        assertThat(told.poll(10, TimeUnit.SECONDS)).hasMessageContaining("no queue");
        assertThat(text(other.receive(DEADLINE_MILLIS))).isEqualTo("after");
    }

    @Test
    void shouldTryASubscriptionAgainThatItsLostConnectionHolds() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = session.createDurableConsumer(session.createTopic("t"), "books");
        awaitConsume();
        broker.holdAnswers(FrameType.CONSUME);

        // when
        cut();
        int request = awaitConsume().requestId();
        broker.giveAnswers(FrameType.CONSUME);
        broker.send(
                new ControlFrame.Refused(
                        request, ErrorCode.SUBSCRIPTION_IN_USE.number(), "in use"));
        Consume again = awaitConsume();
        broker.deliverStored(again.consumer(), 1, 0, TestMessages.text("after"));

        // then
        assertThat(again.subscription()).isEqualTo("books");
        assertThat(text(consumer.receive(DEADLINE_MILLIS))).isEqualTo("after");
    }

    @Test
    void shouldKeepTemporaryDestinationsWithTheConnectionId() throws Exception {
        // given
        Session session = connection.createSession();
        TemporaryQueue reply = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(reply);
        awaitConsume();

        // when
        cut();
        broker.deliverStored(awaitConsume().consumer(), 1, 0, TestMessages.text("reply"));

        // then
        assertThat(text(consumer.receive(DEADLINE_MILLIS))).isEqualTo("reply");
    }

    @Test
    void shouldTakeARepeatedRemovalAsDoneIfTheFirstOneWas() throws Exception {
        // given
        Session session = connection.createSession();
        broker.holdAnswers(FrameType.DELETE_SUBSCRIPTION);
        CompletableFuture<Void> removal =
                CompletableFuture.runAsync(() -> {
                    try {
                        session.unsubscribe("books");
                    } catch (JMSException e) {
                        throw new CompletionException(e);
                    }
                });
        broker.await(FrameType.DELETE_SUBSCRIPTION);

        // when
        cut();
        var again = (DeleteSubscription) broker.await(FrameType.DELETE_SUBSCRIPTION).control();
        broker.send(
                new ControlFrame.Refused(
                        again.requestId(), ErrorCode.UNKNOWN_SUBSCRIPTION.number(), "none"));

        // then
        removal.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        broker.giveAnswers(FrameType.DELETE_SUBSCRIPTION);
    }

    @Test
    void shouldEndTemporaryDestinationsThatTheBrokerHasNotKept() throws Exception {
        // given
        Session session = connection.createSession();
        TemporaryQueue reply = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(reply);
        awaitConsume();
        broker.onHello(hello -> welcome(ScriptedBroker.CONNECTION_ID + 1));

        // when
        cut();

        // then
        assertThatThrownBy(consumer::receive)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("the temporary destination has ended");
        awaitHeard(2);
        assertThatThrownBy(() -> session.createConsumer(reply))
                .hasMessageContaining("ended with a lost connection");
        assertThat(session.createTemporaryQueue().getQueueName())
                .isNotEqualTo(reply.getQueueName());
    }

    @Test
    @SuppressWarnings("JdkObsolete") // what a browser returns is an Enumeration
    void shouldEndWhatABrowserShowsButNotTheBrowser() throws Exception {
        // given
        Session session = connection.createSession();
        QueueBrowser browser = session.createBrowser(session.createQueue("orders"));
        var open = browser.getEnumeration();

        // when
        cut();

        // then
        assertThatThrownBy(open::hasMoreElements).hasMessageContaining("closed the connection");
        awaitHeard(2);
        assertThat(browser.getEnumeration()).isNotNull();
    }

    private void awaitHeard(int count) {
        Awaiting.until(() -> heard.size() >= count);
    }

    @Test
    void shouldMakeAllConsumersAgainWithoutWaitingForAnswers() throws Exception {
        // given
        int count = 2000;
        Session session = connection.createSession();
        for (int i = 0; i < count; i++) {
            MessageConsumer unused = session.createConsumer(session.createTopic("t" + i));
            broker.await(FrameType.SUBSCRIBE);
        }
        broker.holdAnswers(FrameType.SUBSCRIBE);

        // when
        cut();

        // then
        BitSet ids = new BitSet();
        for (int i = 0; i < count; i++) {
            var again = (ControlFrame.Subscribe) broker.await(FrameType.SUBSCRIBE).control();
            ids.set(again.subscriptionId());
        }
        assertThat(ids.cardinality()).isEqualTo(count);
    }

    @Test
    void shouldTellTheExceptionListenerWhenItGivesUp() throws Exception {
        // given
        connection.close();
        connect("maxReconnectAttempts=2&reconnectDelay=1");
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));

        // when
        broker.close();

        // then
        assertThat(told.poll(10, TimeUnit.SECONDS))
                .hasMessageContaining("the broker is away for")
                .hasMessageContaining("2 rounds")
                .hasMessageContaining("maxReconnectAttempts");
        assertThatThrownBy(consumer::receive).hasMessageContaining("the broker is away for");
        assertThatThrownBy(connection::createSession).isInstanceOf(JMSException.class);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldGiveUpAtOnceWhenTheLoginIsRefused() throws Exception {
        // given
        broker.onHello(hello ->
                new ControlFrame.Goodbye(ErrorCode.AUTHENTICATION_FAILED.number(), "who?"));

        // when
        broker.cut();

        // then
        assertThat(told.poll(10, TimeUnit.SECONDS)).hasMessageContaining("who?");
    }

    @Test
    void shouldComeBackThoughItsOwnConnectionHoldsTheClientIdentifier() throws Exception {
        // given
        Session session = connection.createSession();
        broker.onHello(hello ->
                Objects.requireNonNull(hello.resumption()).attempt() < 4
                        ? new ControlFrame.Goodbye(ErrorCode.CLIENT_ID_IN_USE.number(), "in use")
                        : welcome(ScriptedBroker.CONNECTION_ID));

        // when
        broker.cut();

        // then
        awaitHeard(2);
        MessageConsumer unused = session.createConsumer(session.createTopic("t"));
        assertThat(told).isEmpty();
    }

    @Test
    void shouldSayThatTheBrokerIsAwayWhenASendHasWaited() throws Exception {
        // given
        connection.close();
        connect("sendTimeout=300&requestTimeout=200&reconnectDelay=1&closeTimeout=100");
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createTopic("t"));
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
        broker.close();
        Awaiting.until(() -> heard.contains("interrupted CONNECTION_LOST"));

        // when
        JMSException failure =
                catchThrowableOfType(
                        JMSException.class, () -> producer.send(session.createMessage()));

        // then
        assertThat(failure)
                .hasMessageContaining("the broker is away for")
                .hasMessageContaining("waited 300 ms (sendTimeout)")
                .hasMessageContaining("round");
        assertThat(failure.getErrorCode()).isEqualTo(ErrorCodes.CONNECTION_LOST);
        assertThatThrownBy(() -> session.createConsumer(session.createTopic("u")))
                .hasMessageContaining("waited 200 ms (requestTimeout)");
        assertThat(consumer.receive(20)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(told).isEmpty();
    }
}
