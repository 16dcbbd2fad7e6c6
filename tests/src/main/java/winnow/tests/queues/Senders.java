package winnow.tests.queues;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Threads that send messages of 1 KiB, made in advance, as fast as they may. [#stop] ends them.
/// Used by one thread.
final class Senders {
    /// Bytes of a body.
    static final int BODY_BYTES = 1024;

    private static final Duration END = Duration.ofSeconds(15);

    private final SendPlan plan;
    private final @Nullable QueueWindow window;
    private final AtomicLong left;
    private final LongAdder sent = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Latencies> latencies = new ArrayList<>();
    private volatile boolean stopped;
    private volatile boolean timed;
    private volatile @Nullable Exception failure;

    /// Starts them.
    ///
    /// @param window of the flow; without one they send without regard to consumers
    Senders(Client client, SendPlan plan, @Nullable QueueWindow window) throws JMSException {
        this.plan = plan;
        this.window = window;
        left = new AtomicLong(plan.most());
        for (int i = 0; i < plan.senders(); i++) {
            Connection connection = client.connect();
            Latencies own = new Latencies();
            latencies.add(own);
            threads.add(Thread.ofPlatform().daemon().unstarted(() -> runQuietly(connection, own)));
        }
        threads.forEach(Thread::start);
    }

    private void runQuietly(Connection connection, Latencies own) {
        try {
            send(connection, own);
        } catch (JMSException | RuntimeException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Connection connection, Latencies own)
            throws JMSException, InterruptedException {
        boolean transacted = plan.batch() > 0;
        Session session = connection.createSession(transacted, Session.AUTO_ACKNOWLEDGE);
        List<Message> messages = messages(session);
        MessageProducer producer =
                session.createProducer(
                        plan.topic()
                                ? session.createTopic(plan.destination())
                                : session.createQueue(plan.destination()));
        producer.setDeliveryMode(
                plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        int lot = transacted ? plan.batch() : QueueWindow.LOT;
        int next = new Random(threads.size()).nextInt(messages.size());
        for (int count = share(lot); count > 0; count = share(lot)) {
            for (int i = 0; i < count; i++) {
                Message message = messages.get(next);
                next = next + 1 == messages.size() ? 0 : next + 1;
                long start = System.nanoTime();
                producer.send(message);
                if (timed) {
                    own.add(System.nanoTime() - start);
                }
                if (!transacted) {
                    sent.increment();
                }
                if (stopped) {
                    return;
                }
            }
            if (transacted) {
                session.commit();
                sent.add(count);
            }
        }
    }

    /// How many messages to send now, at most a lot; 0 at the end.
    private int share(int lot) throws InterruptedException {
        while (!stopped && window != null) {
            if (window.take()) {
                break;
            }
        }
        return stopped ? 0 : Math.clamp(left.getAndAdd(-lot), 0, lot);
    }

    private List<Message> messages(Session session) throws JMSException {
        byte[] body = new byte[BODY_BYTES];
        new Random(1).nextBytes(body);
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < Math.max(1, plan.targets()); i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(body);
            String target = plan.targets() == 0 ? "none" : Integer.toString(i);
            message.setStringProperty(Receivers.TARGET, target);
            messages.add(message);
        }
        return messages;
    }

    /// Messages sent, and confirmed if they are persistent.
    long sent() {
        return sent.sum();
    }

    /// Notes from now on how long each send takes.
    void time() {
        timed = true;
    }

    /// Whether all messages of the plan have been sent, or a sender has failed.
    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /// Ends them and waits for them.
    ///
    /// @return how long sends took
    /// @throws IllegalStateException if one has failed or does not end
    Latencies stop() throws InterruptedException {
        stopped = true;
        long deadline = System.nanoTime() + END.toNanos();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                throw new IllegalStateException("a send has not returned for " + END);
            }
        }
        Exception failed = failure;
        if (failed != null) {
            throw new IllegalStateException("a sender failed: " + failed, failed);
        }
        return Latencies.of(latencies);
    }
}
