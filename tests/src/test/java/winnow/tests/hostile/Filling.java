package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import winnow.client.WinnowConnectionFactory;
import winnow.client.WinnowXAConnectionFactory;
import winnow.wire.Protocol;

/// Ways in which ordinary clients make a broker keep very many small things: more than its heap has
/// room for, if they were not charged.
enum Filling {
    /// Nobody reads the queue.
    TINY_MESSAGES {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                send(connection, 400_000, (number, producer, message) -> {});
            }
        }
    },

    /// The same, and each of them survives the broker.
    PERSISTENT_MESSAGES {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                send(
                        connection,
                        150_000,
                        (number, producer, message) ->
                                producer.setDeliveryMode(DeliveryMode.PERSISTENT));
            }
        }
    },

    /// Many subscriptions want each message.
    RECIPIENTS {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Topic topic = subscribe(session, "wanting", 2000);
                MessageProducer producer = producer(session.createProducer(topic));
                sendAll(session, producer, 8000, (number, its, message) -> {});
            }
        }
    },

    /// Many subscriptions keep messages of all priorities.
    PRIORITIES {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Topic topic = session.createTopic("filled");
                subscribe(
                        2000,
                        i -> session.createSharedDurableConsumer(topic, "priorities" + i).close());
                MessageProducer producer = producer(session.createProducer(topic));
                producer.setDeliveryMode(DeliveryMode.PERSISTENT);
                sendAll(
                        session,
                        producer,
                        12_000,
                        (number, its, message) -> its.setPriority(number * 7919 % 10));
            }
        }
    },

    /// Many subscriptions keep messages, of which each wants every other one.
    GAPS {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Topic topic = session.createTopic("filled");
                for (int i = 0; i < 1000; i++) {
                    session.createSharedDurableConsumer(topic, "gaps" + i, "n = " + i % 2).close();
                }
                MessageProducer producer = producer(session.createProducer(topic));
                sendAll(
                        session,
                        producer,
                        12_000,
                        (number, its, message) ->
                                message.setIntProperty("n", number * 7919 % 13 % 2));
            }
        }
    },

    /// Many consumers with selectors want the messages of a queue, and receive none.
    SELECTORS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (Connection connection = connect(broker);
                    RawPeer first = new RawPeer(broker.address());
                    RawPeer second = new RawPeer(broker.address())) {
                for (RawPeer peer : List.of(first, second)) {
                    peer.greet(Protocol.STORED);
                    for (int i = 0; i < 500; i++) {
                        peer.consume(i + 1, "filled", "n IS NULL OR n > " + i, 0);
                    }
                    peer.awaitAnswers(501);
                    System.out.println("refused: " + peer.refused());
                }
                send(
                        connection,
                        40_000,
                        (number, producer, message) -> producer.setPriority(number * 7919 % 10));
            }
        }
    },

    /// Very many messages fail together, and go to the dead-letter queue.
    GRAVES {
        @Override
        Map<String, String> settings() {
            return Map.of("queue.max-deliveries", "1");
        }

        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                Queue queue = session.createQueue("n".repeat(1000));
                Session sending = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = producer(sending.createProducer(queue));
                sendAll(sending, producer, 60_000, (number, its, message) -> {});
                connection.start();
                try (MessageConsumer consumer = session.createConsumer(queue)) {
                    while (receive(consumer, 20_000) > 0) {
                        session.rollback();
                    }
                }
            }
        }
    },

    /// The same in one transaction.
    RECIPIENTS_OF_A_TRANSACTION {
        @Override
        void fill(SmallBroker broker) throws JMSException {
            try (Connection connection = connect(broker)) {
                Topic topic =
                        subscribe(
                                connection.createSession(false, Session.AUTO_ACKNOWLEDGE),
                                "committed",
                                1000);
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = producer(session.createProducer(topic));
                for (int i = 0; i < 10_000; i++) {
                    producer.send(session.createTextMessage("ab"));
                }
                session.commit();
            } catch (TransactionRolledBackException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    },

    /// Consumers acknowledge nothing.
    DELIVERIES {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker);
                    Connection first = connect(broker);
                    Connection second = connect(broker)) {
                send(connection, 200_000, (number, producer, message) -> {});
                first.start();
                second.start();
                receiveAll(first);
                receiveAll(second);
            }
        }
    },

    /// Connections are lost with all that they have prefetched, again and again.
    DELIVERY_COUNTS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (Connection connection = connect(broker)) {
                send(connection, 200_000, (number, producer, message) -> {});
            }
            for (int i = 0; i < 20; i++) {
                try (RawPeer peer = new RawPeer(broker.address())) {
                    peer.greet(Protocol.STORED);
                    peer.consume("filled", 1 << 30);
                    peer.awaitAnswers(2);
                    Thread.sleep(RECEIVE_MILLIS / 2);
                }
            }
        }
    },

    /// Messages in parts have bodies of one byte.
    PARTS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (RawPeer peer = new RawPeer(broker.address())) {
                peer.greet(Protocol.STORED | Protocol.PARTS);
                peer.openQueue(1, "filled");
                peer.awaitAnswers(1);
                for (int i = 0; i < 150_000 && peer.publishInParts(1); i++) {}
                System.out.println("refused: " + peer.refused());
            }
        }
    },

    /// Each queue is used once. None is refused, because those before make room.
    QUEUES_USED_ONCE {
        @Override
        void fill(SmallBroker broker) throws JMSException {
            try (Connection connection = connect(broker)) {
                connection.start();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                for (int i = 0; i < 6000; i++) {
                    Queue queue = session.createQueue("once." + i);
                    try (MessageProducer producer = producer(session.createProducer(queue));
                            MessageConsumer consumer = session.createConsumer(queue)) {
                        producer.send(session.createTextMessage("order 1"));
                        if (consumer.receive(30 * RECEIVE_MILLIS) == null) {
                            throw new JMSException("the message to " + queue + " is lost");
                        }
                    }
                }
            }
        }
    },

    /// Transactions are prepared and never decided.
    BRANCHES {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (XAConnection connection =
                    new WinnowXAConnectionFactory(broker.url()).createXAConnection()) {
                XASession session = connection.createXASession();
                XAResource resource = session.getXAResource();
                MessageProducer producer =
                        producer(session.createProducer(session.createQueue("filled")));
                for (int i = 0; i < 2000; i++) {
                    Xid xid = new Branch(i);
                    resource.start(xid, XAResource.TMNOFLAGS);
                    producer.send(session.createTextMessage("order 1"));
                    resource.end(xid, XAResource.TMSUCCESS);
                    resource.prepare(xid);
                }
            } catch (XAException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    },

    /// Names of transactions are remembered.
    COMMITS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (RawPeer peer = new RawPeer(broker.address())) {
                peer.greet(Protocol.STORED);
                peer.commit(150_000);
                peer.awaitAnswers(150_000);
            }
        }
    },

    /// Each message expires at another time, far away.
    EXPIRATIONS {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                send(
                        connection,
                        200_000,
                        (number, producer, message) ->
                                producer.setTimeToLive(DAY_MILLIS + number * DAY_MILLIS / 100));
            }
        }
    },

    /// The same in very many queues.
    DELAYS_OF_MANY_QUEUES {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                for (int i = 0; i < 20; i++) {
                    Queue queue = session.createQueue("filled." + i);
                    sendAll(
                            session,
                            producer(session.createProducer(queue)),
                            20_000,
                            (number, producer, message) ->
                                    producer.setDeliveryDelay(DAY_MILLIS + number * 100_000L));
                }
            }
        }
    },

    /// Each message is for another time, far away.
    DELAYS {
        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker)) {
                send(
                        connection,
                        200_000,
                        (number, producer, message) ->
                                producer.setDeliveryDelay(DAY_MILLIS + number * 100_000L));
            }
        }
    },

    /// Each message is a group: many are with a consumer that has ended, the others have failed.
    GROUPS {
        @Override
        Map<String, String> settings() {
            return Map.of("queue.redelivery-delay", "10m", "queue.max-redelivery-delay", "10m");
        }

        @Override
        void fill(SmallBroker broker) throws JMSException, InterruptedException {
            try (Connection connection = connect(broker);
                    Connection ending = connect(broker)) {
                send(
                        connection,
                        200_000,
                        (number, producer, message) ->
                                message.setStringProperty("JMSXGroupID", "group " + number));
                connection.start();
                ending.start();
                receiveAll(ending).close();
                Session failing = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = failing.createConsumer(failing.createQueue("filled"));
                while (receive(consumer, 5000) > 0) {
                    failing.rollback();
                }
            }
        }
    };

    private static final long DAY_MILLIS = 86_400_000;

    /// Messages that are sent before the first of them is confirmed.
    private static final int UNCONFIRMED = 10_000;

    private static final long RECEIVE_MILLIS = 1000;

    /// A branch that is named by a number.
    private record Branch(int number) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    abstract void fill(SmallBroker broker) throws Exception;

    /// The broker's, beside those that all have.
    Map<String, String> settings() {
        return Map.of();
    }

    /// What is special about the message with a number.
    private interface Setting {
        void apply(int number, MessageProducer producer, Message message) throws JMSException;
    }

    private static Connection connect(SmallBroker broker) throws JMSException {
        return new WinnowConnectionFactory(broker.url()).createConnection();
    }

    private static MessageProducer producer(MessageProducer producer) throws JMSException {
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    private static void send(Connection connection, int count, Setting setting)
            throws JMSException, InterruptedException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue("filled"));
        sendAll(session, producer(producer), count, setting);
    }

    /// Counts what was refused, and how much is unconfirmed.
    private static final class Answers implements CompletionListener {
        final Semaphore room = new Semaphore(UNCONFIRMED);
        final AtomicInteger refused = new AtomicInteger();

        @Override
        public void onCompletion(Message message) {
            room.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            if (refused.getAndIncrement() == 0) {
                System.out.println("refused: " + exception.getMessage());
            }
            room.release();
        }
    }

    /// Sends messages until a thousand have been refused.
    private static void sendAll(
            Session session, MessageProducer producer, int count, Setting setting)
            throws JMSException, InterruptedException {
        Answers answers = new Answers();
        for (int i = 0; i < count && answers.refused.get() < 1000; i++) {
            Message message = session.createTextMessage("order 1");
            setting.apply(i, producer, message);
            answers.room.acquire();
            producer.send(message, answers);
        }
        answers.room.acquire(UNCONFIRMED);
    }

    private static Topic subscribe(Session session, String names, int count) throws JMSException {
        Topic topic = session.createTopic("filled");
        subscribe(
                count,
                i ->
                        session.createSharedDurableConsumer(
                                        topic, names + i, "n IS NULL OR n > " + i)
                                .close());
        return topic;
    }

    private interface Subscribe {
        void subscribe(int number) throws JMSException;
    }

    /// Makes so many subscriptions, or as many as the broker takes of one user: a thousand at
    /// least.
    private static void subscribe(int count, Subscribe one) throws JMSException {
        int made = 0;
        try {
            for (; made < count; made++) {
                one.subscribe(made);
            }
        } catch (ResourceAllocationException full) {
            System.out.println("subscriptions: " + made + ", then " + full.getMessage());
            if (made < 1000) {
                throw full;
            }
        }
    }

    private static MessageConsumer receiveAll(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("filled"));
        System.out.println("unacknowledged: " + receive(consumer, 200_000));
        return consumer;
    }

    /// Receives until nothing comes, or too much is not acknowledged.
    private static int receive(MessageConsumer consumer, int most) throws JMSException {
        int received = 0;
        try {
            while (received < most && consumer.receive(RECEIVE_MILLIS) != null) {
                received++;
            }
        } catch (ResourceAllocationException full) {
            assertThat(full).hasMessageContaining("too many unacknowledged messages");
        }
        return received;
    }
}
