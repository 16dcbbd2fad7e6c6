package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.error.ErrorCodes;
import winnow.client.error.JmsErrors;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;

/// Connections that are lost and come back: what becomes of messages and transactions without an
/// answer.
class ReturningSendsTest {
    private final BlockingQueue<String> completed = new LinkedBlockingQueue<>();
    private ScriptedBroker broker;
    private UUID store = UUID.randomUUID();
    private Connection connection;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        broker.onHello(hello -> welcome());
        connection = broker.returningFactory().createConnection();
        connection.start();
        session = connection.createSession();
        producer = session.createProducer(session.createQueue("orders"));
        broker.await(FrameType.OPEN);
    }

    private ControlFrame.Welcome welcome() {
        return new ControlFrame.Welcome(
                Protocol.MAJOR_VERSION,
                Protocol.MINOR_VERSION,
                Protocol.STORED | Protocol.RECALL | Protocol.RESUME,
                ScriptedBroker.CONNECTION_ID,
                0,
                1024 * 1024,
                1024 * 1024,
                "scripted",
                store);
    }

    @AfterEach
    void close() throws IOException, JMSException {
        broker.close();
        connection.close();
    }

    private long cut() {
        broker.cut();
        var hello = (ControlFrame.Hello) broker.await(FrameType.HELLO).control();
        return Objects.requireNonNull(hello.resumption()).lastNumber();
    }

    /// One publish that has come.
    ///
    /// @param number 0 for none
    private record Came(long number, long sequence) {}

    private Came awaitPublish() {
        ScriptedBroker.Frame frame = broker.await(FrameType.PUBLISH);
        WireReader in = frame.fields();
        in.readVarint();
        int flags = Publish.readFlags(in);
        long number = Publish.readNumber(in, flags);
        MessageBlock block = new MessageBlock();
        byte[] rest = frame.last(in.remaining());
        block.parse(rest, 0, rest.length);
        return new Came(number, block.messageSequence());
    }

    private CompletableFuture<String> sending(String text) {
        return CompletableFuture.supplyAsync(() ->
                JmsErrors.call(() -> {
                    Message message = session.createTextMessage(text);
                    producer.send(message);
                    return message.getJMSMessageID();
                }));
    }

    private void sendAsync(String text) throws JMSException {
        producer.send(
                session.createTextMessage(text),
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        completed.add(JmsErrors.call(() -> ((TextMessage) message).getText()));
                    }

                    @Override
                    public void onException(Message message, Exception failure) {
                        completed.add(((JMSException) failure).getErrorCode());
                    }
                });
    }

    @Test
    void shouldSendAgainWithTheNumberThatItHad() throws Exception {
        // given
        CompletableFuture<String> sent = sending("a");
        Came first = awaitPublish();

        // when
        long last = cut();
        Came again = awaitPublish();
        broker.send(new ControlFrame.Published(1));

        // then
        assertThat(sent.get(10, TimeUnit.SECONDS)).endsWith("-1");
        assertThat(last).isEqualTo(1);
        assertThat(first).isEqualTo(new Came(0, 1));
        assertThat(again).isEqualTo(new Came(1, 1));
    }

    @Test
    void shouldSendAgainOverSeveralLosses() throws Exception {
        // given
        CompletableFuture<String> sent = sending("a");
        awaitPublish();

        // when
        cut();
        awaitPublish();
        cut();
        Came third = awaitPublish();
        broker.send(new ControlFrame.Published(1));

        // then
        assertThat(sent.get(10, TimeUnit.SECONDS)).isNotEmpty();
        assertThat(third).isEqualTo(new Came(1, 1));
    }

    @Test
    void shouldSendAgainInOrderAndBeforeAnythingNewer() throws Exception {
        // given
        for (String text : List.of("a", "b", "c", "d")) {
            sendAsync(text);
            awaitPublish();
        }
        broker.send(new ControlFrame.Published(1));
        assertThat(completed.poll(10, TimeUnit.SECONDS)).isEqualTo("a");

        // when
        long last = cut();
        sendAsync("e");
        List<Came> came = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            came.add(awaitPublish());
        }
        broker.send(new ControlFrame.Published(5));

        // then
        assertThat(last).isEqualTo(4);
        assertThat(came)
                .containsExactly(new Came(2, 2), new Came(3, 3), new Came(4, 4), new Came(0, 5));
        for (String text : List.of("b", "c", "d", "e")) {
            assertThat(completed.poll(10, TimeUnit.SECONDS)).isEqualTo(text);
        }
    }

    @Test
    void shouldCountOnWhenNothingIsSentAgain() throws Exception {
        // given
        sendAsync("a");
        awaitPublish();
        broker.send(new ControlFrame.Published(1));
        assertThat(completed.poll(10, TimeUnit.SECONDS)).isEqualTo("a");

        // when
        cut();
        sendAsync("b");
        Came next = awaitPublish();
        broker.send(new ControlFrame.Published(2));

        // then
        assertThat(completed.poll(10, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(next).isEqualTo(new Came(0, 2));
    }

    @Test
    void shouldNotSendAgainWhatWasGivenUpWhileItWaitedForCredit() throws Exception {
        // given
        TextMessage message = session.createTextMessage("a");
        CompletableFuture<JMSException> gaveUp = new CompletableFuture<>();
        Thread sender =
                new Thread(() ->
                        gaveUp.complete(
                                catchThrowableOfType(
                                        JMSException.class, () -> producer.send(message))));
        sender.start();
        awaitPublish();
        broker.holdAnswers(FrameType.OPEN);
        cut();
        var open = (ControlFrame.Open) broker.await(FrameType.OPEN).control();
        broker.giveAnswers(FrameType.OPEN);
        broker.send(new ControlFrame.Accepted(open.requestId()));
        sender.interrupt();
        assertThat(gaveUp.get(10, TimeUnit.SECONDS)).hasMessageContaining("interrupted");

        // when
        message.setText("b");
        CompletableFuture<Void> sent =
                CompletableFuture.runAsync(() -> JmsErrors.run(() -> producer.send(message)));
        broker.grant(open.handle(), 1024 * 1024);

        // then
        assertThat(awaitPublish()).isEqualTo(new Came(0, 2));
        broker.send(new ControlFrame.Published(2));
        sent.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldLeaveASendInDoubtThatAnotherStoreCannotKnow() throws Exception {
        // given
        sendAsync("a");
        awaitPublish();
        store = UUID.randomUUID();

        // when
        cut();

        // then
        assertThat(completed.poll(10, TimeUnit.SECONDS)).isEqualTo(ErrorCodes.IN_DOUBT);
    }

    private Session transacted() throws JMSException {
        return connection.createSession(true, Session.SESSION_TRANSACTED);
    }

    private static CompletableFuture<JMSException> committing(Session of) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(JMSException.class, of::commit));
    }

    /// Publishes in a transaction, and cuts the connection before its commit is answered.
    private CompletableFuture<JMSException> loseCommit(Session of) throws JMSException {
        of.createProducer(of.createQueue("orders")).send(of.createMessage());
        broker.holdAnswers(FrameType.COMMIT);
        CompletableFuture<JMSException> ended = committing(of);
        Commit commit = (Commit) broker.await(FrameType.COMMIT).control();
        cut();
        AskCommit asked = (AskCommit) broker.await(FrameType.ASK_COMMIT).control();
        assertThat(asked.transaction()).isEqualTo(commit.transaction());
        lastRequest = asked.requestId();
        return ended;
    }

    private int lastRequest;

    @Test
    void shouldCommitIfTheBrokerSaysSoLater() throws Exception {
        // given
        CompletableFuture<JMSException> ended = loseCommit(transacted());

        // when
        broker.send(new ControlFrame.Accepted(lastRequest));

        // then
        assertThat(ended.get(10, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void shouldRollBackIfTheBrokerSaysSoLater() throws Exception {
        // given
        CompletableFuture<JMSException> ended = loseCommit(transacted());

        // when
        broker.send(
                new ControlFrame.Refused(
                        lastRequest, ErrorCode.UNKNOWN_TRANSACTION.number(), "none"));

        // then
        assertThat(ended.get(10, TimeUnit.SECONDS))
                .isInstanceOf(TransactionRolledBackException.class);
    }

    @Test
    void shouldStayInDoubtUntilItIsRolledBackIfTheBrokerDoesNotKnow() throws Exception {
        // given
        Session of = transacted();
        CompletableFuture<JMSException> ended = loseCommit(of);

        // when
        broker.send(
                new ControlFrame.Refused(lastRequest, ErrorCode.IN_DOUBT.number(), "forgotten"));

        // then
        assertThat(ended.get(10, TimeUnit.SECONDS))
                .isNotInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("it is not known whether the transaction took effect")
                .extracting(JMSException::getErrorCode)
                .isEqualTo(ErrorCodes.IN_DOUBT);
        broker.giveAnswers(FrameType.COMMIT);
        of.rollback();
        of.commit();
    }

    /// Number of the session that a publish of a transaction belongs to.
    private int awaitTransacted() {
        WireReader in = broker.await(FrameType.PUBLISH).fields();
        in.readVarint();
        assertThat(Publish.readFlags(in)).isEqualTo(Publish.TRANSACTED);
        return in.readVarint();
    }

    private static boolean isIn(Thread thread, String method) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @Test
    void shouldKeepItsConsumersWhenASendHasWaitedForACommit() throws Exception {
        // given
        Session of = transacted();
        MessageConsumer consumer = of.createConsumer(of.createQueue("orders"));
        MessageProducer out = of.createProducer(of.createQueue("replies"));
        Consume first = (Consume) broker.await(FrameType.CONSUME).control();
        broker.deliverStored(first.consumer(), 1, 0, TestMessages.text("a"));
        assertThat(consumer.receive(10_000)).isNotNull();
        broker.holdAnswers(FrameType.COMMIT);
        Thread.currentThread().interrupt();
        assertThatThrownBy(of::commit).hasMessageContaining("interrupted");
        boolean unused = Thread.interrupted();
        CompletableFuture<Thread> sender = new CompletableFuture<>();
        CompletableFuture<Boolean> sent =
                CompletableFuture.supplyAsync(() -> {
                    sender.complete(Thread.currentThread());
                    return JmsErrors.call(() -> {
                        out.send(of.createMessage());
                        return true;
                    });
                });
        Awaiting.until(() -> isIn(sender.join(), "settle"));

        // when
        cut();
        Consume next = (Consume) broker.await(FrameType.CONSUME).control();
        AskCommit asked = (AskCommit) broker.await(FrameType.ASK_COMMIT).control();
        broker.send(new ControlFrame.Accepted(asked.requestId()));

        // then
        assertThat(awaitTransacted()).isEqualTo(next.session());
        assertThat(sent.get(10, TimeUnit.SECONDS)).isTrue();
        broker.giveAnswers(FrameType.COMMIT);
        broker.deliverStored(next.consumer(), 1, 0, TestMessages.text("b"));
        assertThat(consumer.receive(10_000)).isNotNull();
        of.commit();
        assertThat(((Commit) broker.await(FrameType.COMMIT).control()).session())
                .isEqualTo(next.session());
    }

    @Test
    void shouldRollBackAnOpenTransactionOnce() throws Exception {
        // given
        Session of = transacted();
        MessageProducer in = of.createProducer(of.createQueue("orders"));
        in.send(of.createMessage());
        broker.await(FrameType.PUBLISH);

        // when
        cut();

        // then
        assertThatThrownBy(() -> in.send(of.createMessage()))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("lost");
        in.send(of.createMessage());
        of.commit();
        broker.await(FrameType.PUBLISH);
        broker.await(FrameType.COMMIT);
    }

    @Test
    void shouldRollBackATransactionThatHasOnlyReceived() throws Exception {
        // given
        Session of = transacted();
        MessageConsumer consumer = of.createConsumer(of.createQueue("orders"));
        Consume first = (Consume) broker.await(FrameType.CONSUME).control();
        broker.deliverStored(first.consumer(), 1, 0, TestMessages.text("a"));
        assertThat(consumer.receive(10_000)).isNotNull();

        // when
        cut();
        Consume next = (Consume) broker.await(FrameType.CONSUME).control();
        broker.deliverStored(next.consumer(), 1, 1, TestMessages.text("a"));

        // then
        assertThatThrownBy(of::commit).isInstanceOf(TransactionRolledBackException.class);
        assertThat(consumer.receive(10_000).getJMSRedelivered()).isTrue();
        of.commit();
        Commit commit = (Commit) broker.await(FrameType.COMMIT).control();
        assertThat(commit.deliveries()).isEqualTo(DeliveryRanges.of(1));
    }
}
