package winnow.client.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.ScriptedBroker;
import winnow.client.TestMessages;
import winnow.client.error.ErrorCodes;
import winnow.client.error.JmsErrors;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.FrameType;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.Recover;

/// Consumers of messages that the broker keeps, in each acknowledgement mode.
class StoredConsumerTest {
    private static final long DEADLINE_MILLIS = 10_000;

    private ScriptedBroker broker;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException, JMSException {
        broker = new ScriptedBroker();
        connection = broker.factory("clientID=meter").createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        broker.close();
    }

    private MessageConsumer consumer(Session session) throws JMSException {
        return session.createConsumer(session.createQueue("orders"));
    }

    private int consumerId() {
        return broker.consumers().get(0).consumer();
    }

    private static String receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(DEADLINE_MILLIS);
        return message == null ? "none" : ((TextMessage) message).getText();
    }

    private Acknowledge awaitAcknowledge() {
        return (Acknowledge) broker.await(FrameType.ACKNOWLEDGE).control();
    }

    /// All ids that are acknowledged in the next frames, up to the last.
    private List<Long> awaitAcknowledged(long last) {
        List<Long> ids = new ArrayList<>();
        while (!ids.contains(last)) {
            ids.addAll(ids(awaitAcknowledge().deliveries()));
        }
        return ids;
    }

    private static List<Long> ids(DeliveryRanges ranges) {
        List<Long> ids = new ArrayList<>();
        for (int range = 0; range < ranges.count(); range++) {
            for (long id = ranges.first(range); id <= ranges.last(range); id++) {
                ids.add(id);
            }
        }
        return ids;
    }

    @Test
    void shouldBeginASessionWithItsFirstConsumer() throws Exception {
        // given
        Session session = connection.createSession();

        // when
        QueueReceiver consumer =
                ((QueueSession) session).createReceiver(session.createQueue("orders"), "size > 3");

        // then
        BeginSession begin = (BeginSession) broker.await(FrameType.BEGIN_SESSION).control();
        Consume consume = (Consume) broker.await(FrameType.CONSUME).control();
        assertThat(begin.transacted()).isFalse();
        assertThat(consume.session()).isEqualTo(begin.session());
        assertThat(consume.role()).isEqualTo(ConsumerRole.QUEUE);
        assertThat(consume.source().kind()).isEqualTo(DestinationKind.QUEUE);
        assertThat(consume.source().destination()).isEqualTo("orders");
        assertThat(consume.source().selector()).isEqualTo("size > 3");
        assertThat(consume.creditMessages()).isEqualTo(PrefetchWindow.FIRST_MESSAGES);
        assertThat(consumer.getQueue().getQueueName()).isEqualTo("orders");
        assertThat(consumer.getMessageSelector()).isEqualTo("size > 3");
    }

    @Test
    void shouldTellHowOftenAMessageWasDelivered() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());

        // when
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("first"));
        broker.deliverStored(consumerId(), 2, 2, TestMessages.texts("again"));

        // then
        Message first = consumer.receive(DEADLINE_MILLIS);
        Message again = consumer.receive(DEADLINE_MILLIS);
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        assertThat(again.getJMSDestination())
                .isEqualTo(connection.createSession().createQueue("orders"));
    }

    @Test
    void shouldAcknowledgeByItselfWhatReceiveReturned() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b", "c"));

        // when
        List<String> received = List.of(receive(consumer), receive(consumer));

        // then
        assertThat(received).containsExactly("a", "b");
        assertThat(awaitAcknowledged(2)).containsExactly(1L, 2L);
    }

    @Test
    void shouldAcknowledgeByItselfWhatAListenerHasHandled() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        consumer.setMessageListener(
                message -> JmsErrors.run(() -> handled.add(((TextMessage) message).getText())));

        // when
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b"));

        // then
        assertThat(awaitAcknowledged(2)).containsExactly(1L, 2L);
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void shouldAcknowledgeQuarterlyOrWhenIdleIfDuplicatesAreAllowed() throws Exception {
        // given
        try (Connection small = broker.factory("queuePrefetchMessages=16").createConnection()) {
            small.start();
            MessageConsumer consumer = consumer(small.createSession(Session.DUPS_OK_ACKNOWLEDGE));
            broker.deliverStored(
                    consumerId(), 1, 0, TestMessages.texts("a", "b", "c", "d", "e", "f"));

            // when
            for (int i = 0; i < 4; i++) {
                receive(consumer);
            }
            List<Long> first = awaitAcknowledged(4);
            receive(consumer);
            receive(consumer);

            // then
            assertThat(first).containsExactly(1L, 2L, 3L, 4L);
            assertThat(awaitAcknowledged(6)).containsExactly(5L, 6L);
        }
    }

    @Test
    void shouldWaitForTheAnswerWhenTheApplicationAcknowledges() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b", "c"));
        receive(consumer);
        Message second = consumer.receive(DEADLINE_MILLIS);

        // when
        second.acknowledge();

        // then
        Acknowledge acknowledge = awaitAcknowledge();
        assertThat(acknowledge.requestId()).isPositive();
        assertThat(ids(acknowledge.deliveries())).containsExactly(1L, 2L);
    }

    @Test
    void shouldDropWhatCameBeforeTheBrokerHasRecovered() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b"));
        receive(consumer);
        broker.holdAnswers(FrameType.RECOVER);
        BlockingQueue<Integer> request = new LinkedBlockingQueue<>();
        Thread answering =
                new Thread(() -> {
                    Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
                    JmsErrors.run(() -> answer(recover));
                    request.add(recover.failed().count());
                });
        answering.start();

        // when
        session.recover();

        // then
        Message again = consumer.receive(DEADLINE_MILLIS);
        assertThat(((TextMessage) again).getText()).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(receive(consumer)).isEqualTo("b");
        assertThat(request.poll(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(1);
        again.acknowledge();
        assertThat(ids(awaitAcknowledge().deliveries())).containsExactly(4L, 5L);
    }

    /// Delivers one message that is void, answers, and delivers what came back.
    private void answer(Recover recover) throws JMSException {
        try {
            broker.deliverStored(consumerId(), 3, 0, TestMessages.texts("void"));
            broker.send(new ControlFrame.Accepted(recover.requestId()));
            broker.deliverStored(consumerId(), 4, 1, TestMessages.texts("a"));
            broker.deliverStored(consumerId(), 5, 0, TestMessages.texts("b"));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    @Test
    void shouldGiveBackWhatAListenerFailedWith() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());
        BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
        consumer.setMessageListener(message -> {
            int count = JmsErrors.call(() -> message.getIntProperty("JMSXDeliveryCount"));
            counts.add(count);
            if (count == 1) {
                throw new IllegalArgumentException("a test's failure");
            }
        });

        // when
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));
        Recover recover = (Recover) broker.await(FrameType.RECOVER).control();
        broker.deliverStored(consumerId(), 2, 1, TestMessages.texts("a"));

        // then
        assertThat(ids(recover.failed())).containsExactly(1L);
        assertThat(awaitAcknowledged(2)).containsExactly(2L);
        assertThat(counts).containsExactly(1, 2);
    }

    @Test
    void shouldNotAcknowledgeWhatAListenerHasRecovered() throws Exception {
        // given
        Session session = connection.createSession();
        MessageConsumer consumer = consumer(session);
        consumer.setMessageListener(message -> {
            if (!JmsErrors.call(message::getJMSRedelivered)) {
                JmsErrors.run(session::recover);
            }
        });

        // when
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));
        broker.await(FrameType.RECOVER);
        broker.deliverStored(consumerId(), 2, 1, TestMessages.texts("a"));

        // then
        assertThat(awaitAcknowledged(2)).containsExactly(2L);
    }

    @Test
    void shouldGiveCreditBackOnceForWhatIsRecovered() throws Exception {
        // given
        try (Connection small = broker.factory("queuePrefetchMessages=4").createConnection()) {
            small.start();
            Session session = small.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = consumer(session);
            broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b"));
            receive(consumer);
            receive(consumer);
            assertThat(broker.await(FrameType.CONSUMER_CREDIT).varints()).startsWith(consumerId());

            // when
            session.recover();
            broker.deliverStored(consumerId(), 3, 1, TestMessages.texts("a", "b", "c"));
            String third = receive(consumer) + receive(consumer) + receive(consumer);

            // then
            assertThat(third).isEqualTo("abc");
            List<Integer> credit = broker.await(FrameType.CONSUMER_CREDIT).varints();
            assertThat(credit).startsWith(consumerId(), 1);
        }
    }

    @Test
    void shouldAskOnceWhenNothingIsHereYet() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());
        broker.holdAnswers(FrameType.ACKNOWLEDGE);
        Thread answering =
                new Thread(() -> {
                    Acknowledge ping = awaitAcknowledge();
                    JmsErrors.run(() -> deliverAndAnswer(ping));
                });
        answering.start();

        // when
        Message message = consumer.receiveNoWait();

        // then
        assertThat(message).isNotNull();
        assertThat(((TextMessage) message).getText()).isEqualTo("a");
    }

    private void deliverAndAnswer(Acknowledge ping) throws JMSException {
        try {
            broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));
            broker.send(new ControlFrame.Accepted(ping.requestId()));
        } catch (IOException e) {
            throw new JMSException(e.getMessage());
        }
    }

    @Test
    void shouldSayWhatWasSeenWhenItIsClosed() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b", "c"));
        receive(consumer);
        receive(consumer);

        // when
        consumer.close();
        session.close();

        // then
        EndConsumer end = (EndConsumer) broker.await(FrameType.END_CONSUMER).control();
        EndSession last = (EndSession) broker.await(FrameType.END_SESSION).control();
        assertThat(ids(end.seen())).containsExactly(1L, 2L);
        assertThat(ids(last.seen())).containsExactly(1L, 2L);
    }

    @Test
    void shouldEndItsSessionsBeforeTheConnection() throws Exception {
        // given
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));
        receive(consumer);

        // when
        connection.close();

        // then
        EndSession last = (EndSession) broker.await(FrameType.END_SESSION).control();
        assertThat(ids(last.seen())).containsExactly(1L);
        broker.await(FrameType.GOODBYE);
    }

    @Test
    void shouldKeepAMessageWhoseBodyCannotBeHad() throws Exception {
        // given
        try (JMSContext context = broker.factory().createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a"));

            // when, then
            assertThatThrownBy(() -> consumer.receiveBody(Integer.class, DEADLINE_MILLIS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(broker.poll(FrameType.ACKNOWLEDGE)).isNull();
            assertThat(consumer.receiveBody(String.class, DEADLINE_MILLIS)).isEqualTo("a");
            assertThat(awaitAcknowledged(1)).containsExactly(1L);
        }
    }

    @Test
    void shouldNotDeliverWhatTheBrokerTakesBackFromALostConnection() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());
        CountDownLatch lost = new CountDownLatch(1);
        connection.setExceptionListener(cause -> lost.countDown());
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts("a", "b"));
        assertThat(receive(consumer)).isEqualTo("a");

        // when
        broker.cut();
        assertThat(lost.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();

        // then
        assertThatThrownBy(() -> consumer.receive(DEADLINE_MILLIS))
                .isInstanceOf(JMSException.class)
                .extracting(failure -> ((JMSException) failure).getErrorCode())
                .isEqualTo(ErrorCodes.CONNECTION_LOST);
    }

    @Test
    void shouldGatherManyAcknowledgements() throws Exception {
        // given
        MessageConsumer consumer = consumer(connection.createSession());
        String[] many = IntStream.range(0, 900).mapToObj(Integer::toString).toArray(String[]::new);
        broker.deliverStored(consumerId(), 1, 0, TestMessages.texts(many));

        // when
        for (String expected : many) {
            assertThat(receive(consumer)).isEqualTo(expected);
        }

        // then
        assertThat(awaitAcknowledged(many.length)).hasSize(many.length).isSorted();
    }
}
