package winnow.loadgen.rate;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Provider;

/// Consumers of a topic whose listeners hang at their first message, each with a connection: what
/// comes after it fills what lies between the broker and them.
final class StalledConsumers implements SideLoad {

    private final Target target;
    private final Provider provider;
    private final int number;
    private final List<Connection> connections = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

    StalledConsumers(Target target, Provider provider, int number) {
        this.target = target;
        this.provider = provider;
        this.number = number;
    }

    @Override
    public void connect() throws JMSException {
        for (var consumer = 0; consumer < number; consumer++) {
            var connection = provider.connect();
            connections.add(connection);
            connection.setExceptionListener(this::lose);
            var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            target.consumer(session).setMessageListener(this::hang);
            connection.start();
        }
    }

    private void lose(JMSException problem) {
        failure.compareAndSet(null, String.valueOf(problem.getMessage()));
        lost.incrementAndGet();
    }

    private void hang(Message message) {
        if (released.getCount() == 0) {
            return;
        }
        hanging.incrementAndGet();
        try {
            released.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public SideFigures figures() {
        var first = failure.get();
        var gone = Math.min(lost.get(), number);
        return new SideFigures(
                SideFigures.Kind.STALLED,
                number,
                Math.max(0, Math.min(hanging.get(), number) - gone),
                gone,
                first == null ? "" : first);
    }

    /// Closing a connection waits for its listener.
    @Override
    public void close() throws JMSException {
        released.countDown();
        JMSException first = null;
        for (var connection : connections) {
            try {
                connection.close();
            } catch (JMSException failed) {
                first = first == null ? failed : first;
            }
        }
        connections.clear();
        if (first != null) {
            throw first;
        }
    }
}
