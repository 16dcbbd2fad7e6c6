package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import winnow.client.WinnowConnectionFactory;
import winnow.wire.DeliveryRanges;
import winnow.wire.Protocol;

/// Ways in which peers that keep the protocol, but read nothing or send what is as large as it may
/// be, make a broker keep much for each of their connections.
enum PeerFilling {
    /// Requests that are refused quote texts as long as a frame may be.
    LONG_TEXTS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (Peers peers = new Peers(broker)) {
                for (int i = 0; i < 20; i++) {
                    RawPeer peer = peers.add();
                    peer.sayLong(peer.maxFrameBytes() - 64);
                }
            }
        }
    },

    /// Browsers with all credit there is, which read nothing.
    BROWSERS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            send(broker, 60_000, 1000);
            try (Peers peers = new Peers(broker)) {
                for (int i = 0; i < 40; i++) {
                    peers.addSilent().browse("filled", 1 << 30);
                }
                peers.awaitHealth();
            }
        }
    },

    /// Consumers of long messages, which read nothing.
    LONG_DELIVERIES {
        @Override
        void fill(SmallBroker broker) throws Exception {
            send(broker, 12, 2_900_000);
            try (Peers peers = new Peers(broker)) {
                for (int i = 0; i < 12; i++) {
                    peers.addSilent().consume("filled", 1 << 30);
                }
                peers.awaitHealth();
            }
        }
    },

    /// Acknowledgements of very many deliveries that are not there, while the storage is busy.
    ACKNOWLEDGEMENTS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (Peers peers = new Peers(broker);
                    Connection connection = connect(broker)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                for (int i = 0; i < 1000; i++) {
                    session.createSharedDurableConsumer(session.createTopic("filled"), "peer" + i)
                            .close();
                }
                for (int i = 0; i < 60; i++) {
                    peers.add().begin();
                }
                MessageProducer producer = session.createProducer(session.createTopic("filled"));
                Thread busy = Thread.ofVirtual().start(() -> sendAll(session, producer, 3000, 2));
                peers.all.parallelStream().forEach(PeerFilling::acknowledge);
                busy.join();
                peers.awaitHealth();
            }
        }
    },

    /// Requests of HTTP with as many headers as there may be, one behind the other.
    HTTP_HEADERS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            byte[] known = request("Authorization: " + "x".repeat(7900) + "\r\n");
            byte[] unknown = request("a:\r\n".repeat(1900));
            List<Socket> sockets = new ArrayList<>();
            try {
                for (int i = 0; i < 200; i++) {
                    Socket socket = new Socket();
                    socket.connect(broker.httpAddress(), ANSWER_MILLIS);
                    sockets.add(socket);
                    send(socket, i % 2 == 0 ? known : unknown);
                }
                assertThat(broker.status("/health/live")).isEqualTo(200);
            } finally {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }

        private static byte[] request(String headers) {
            return ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }

        private static void send(Socket socket, byte[] request) {
            try {
                for (int i = 0; i < 16; i++) {
                    socket.getOutputStream().write(request);
                }
            } catch (IOException e) {
                // It was closed because another has its place.
            }
        }
    },

    /// Clients that make temporary queues, publish and go without a word, and could come back.
    AWAY {
        @Override
        void fill(SmallBroker broker) throws Exception {
            IntStream.range(0, 4000).parallel().forEach(i -> goAway(broker));
            assertThat(broker.status("/health/live")).isEqualTo(200);
        }

        private static void goAway(SmallBroker broker) {
            try (RawPeer peer = new RawPeer(broker.address())) {
                peer.greet(Protocol.STORED | Protocol.RESUME);
                peer.openQueue(1, "filled");
                for (int i = 0; i < 5; i++) {
                    peer.createTemporary(i + "x".repeat(400));
                    peer.publish(1, "", 1);
                }
                peer.awaitAnswers(6);
            } catch (IOException | InterruptedException e) {
                // The broker has enough of them.
            }
        }
    },

    /// Connections that have said hello and nothing else.
    CONNECTIONS {
        @Override
        void fill(SmallBroker broker) throws Exception {
            try (Peers peers = new Peers(broker)) {
                for (int i = 0; i < 7000 && peers.mayAdd(LEAST_CONNECTIONS); i++) {
                    // Until the broker has enough.
                }
                peers.awaitHealth();
            }
        }
    };

    private static final int UNCONFIRMED = 1000;

    private static final int ANSWER_MILLIS = 10_000;

    /// A broker with a heap of 48 MB takes 921 from one address.
    private static final int LEAST_CONNECTIONS = 500;

    abstract void fill(SmallBroker broker) throws Exception;

    private static void acknowledge(RawPeer peer) {
        try {
            peer.acknowledgeAlternate(3, DeliveryRanges.MAX_RANGES);
            peer.awaitAnswers(4);
        } catch (IOException | InterruptedException e) {
            System.out.println("ended: " + e.getMessage());
        }
    }

    /// Raw peers of one broker.
    private static final class Peers implements AutoCloseable {
        private static final int HEALTHY = 200;
        private static final long SILENT_MILLIS = 3000;

        private final SmallBroker broker;
        private final List<RawPeer> all = new ArrayList<>();

        Peers(SmallBroker broker) {
            this.broker = broker;
        }

        RawPeer add() throws IOException, InterruptedException {
            RawPeer peer = new RawPeer(broker.address());
            all.add(peer);
            peer.greet(Protocol.STORED);
            return peer;
        }

        /// One more, unless the broker has enough of them.
        ///
        /// @param least so many it has to take
        boolean mayAdd(int least) throws IOException, InterruptedException {
            try {
                add();
                return true;
            } catch (IOException e) {
                System.out.println("refused after " + all.size() + ": " + e.getMessage());
                if (all.size() <= least) {
                    throw e;
                }
                return false;
            }
        }

        RawPeer addSilent() throws IOException, InterruptedException {
            RawPeer peer = add();
            peer.stopReading();
            return peer;
        }

        /// Lets the broker write what it will, then asks whether it is alive.
        void awaitHealth() throws IOException, InterruptedException {
            Thread.sleep(SILENT_MILLIS);
            if (broker.status("/health/live") != HEALTHY) {
                throw new IOException("the broker is not alive");
            }
        }

        @Override
        public void close() {
            all.forEach(RawPeer::close);
        }
    }

    private static Connection connect(SmallBroker broker) throws JMSException {
        return new WinnowConnectionFactory(broker.url()).createConnection();
    }

    private static void send(SmallBroker broker, int count, int bytes) throws JMSException {
        try (Connection connection = connect(broker)) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            sendAll(session, session.createProducer(session.createQueue("filled")), count, bytes);
        }
    }

    /// Sends messages that may be refused.
    private static void sendAll(Session session, MessageProducer producer, int count, int bytes) {
        Semaphore room = new Semaphore(UNCONFIRMED);
        CompletionListener answers =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        room.release();
                    }

                    @Override
                    public void onException(Message message, Exception refused) {
                        room.release();
                    }
                };
        try {
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            Message message = session.createTextMessage("x".repeat(bytes));
            for (int i = 0; i < count; i++) {
                room.acquire();
                producer.send(message, answers);
                message = session.createTextMessage("x".repeat(bytes));
            }
            room.acquire(UNCONFIRMED);
        } catch (JMSException | InterruptedException e) {
            System.out.println("ended: " + e.getMessage());
        }
    }
}
