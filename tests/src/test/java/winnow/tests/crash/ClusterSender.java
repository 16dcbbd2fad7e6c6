package winnow.tests.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import winnow.client.WinnowConnectionFactory;

/// Sends to a queue of a cluster, each message once, and remembers which were confirmed. It looks
/// for the leader by trying one node after the other.
final class ClusterSender {
    /// Name of the queue.
    static final String QUEUE = "confirmed";

    /// Name of the property with the identifier.
    static final String ID = "id";

    private static final long RETRY_MILLIS = 50;
    private static final long TIMEOUT_SECONDS = 60;

    private final ClusterProcesses cluster;
    private final String name;
    private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile boolean stopping;

    /// Begins to send.
    ClusterSender(ClusterProcesses cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        thread = Thread.ofPlatform().daemon().name("sender " + name).start(this::run);
    }

    private void run() {
        int next = 0;
        while (!stopping) {
            try (Connection connection = connect(cluster.url())) {
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
                while (!stopping) {
                    Message message = session.createTextMessage("content of " + next);
                    String id = name + "-" + next++;
                    message.setStringProperty(ID, id);
                    producer.send(message);
                    confirmed.add(id);
                }
            } catch (JMSException e) {
                pause();
            }
        }
    }

    private static Connection connect(String url) throws JMSException {
        return new WinnowConnectionFactory(url + "?heartbeat=1000").createConnection();
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Identifiers of messages that the cluster has confirmed so far.
    Set<String> confirmed() {
        return confirmed;
    }

    /// Waits until so many more are confirmed.
    void awaitConfirmed(int more) throws InterruptedException {
        int wanted = confirmed.size() + more;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (confirmed.size() < wanted) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "expected " + wanted + " confirmed messages, found " + confirmed.size());
            }
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
    }

    void stop() throws InterruptedException {
        stopping = true;
        thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    }

    /// Identifiers of all messages in the queue.
    static Set<String> stored(String url) throws JMSException {
        return stored(url, QUEUE);
    }

    /// Identifiers of all messages in a queue.
    static Set<String> stored(String url, String name) throws JMSException {
        Set<String> found = new HashSet<>();
        try (Connection connection = connect(url)) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue(name);
            try (QueueBrowser browser = session.createBrowser(queue)) {
                Enumeration<?> messages = browser.getEnumeration();
                while (messages.hasMoreElements()) {
                    String id = ((Message) messages.nextElement()).getStringProperty(ID);
                    if (!found.add(id)) {
                        throw new AssertionError("message " + id + " is there twice");
                    }
                }
            }
        }
        return found;
    }
}
