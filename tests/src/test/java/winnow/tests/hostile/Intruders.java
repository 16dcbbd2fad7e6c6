package winnow.tests.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// The connections of one attack. Thread-safe.
final class Intruders implements AutoCloseable {
    private static final int ATTACK_SECONDS = 20;

    private final SmallBroker broker;
    private final Queue<RawPeer> peers = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger stopped = new AtomicInteger();

    Intruders(SmallBroker broker) {
        this.broker = broker;
    }

    /// What one intruder does, with a number from 0.
    interface Action {
        void run(RawPeer peer, int number) throws IOException, InterruptedException;
    }

    SmallBroker broker() {
        return broker;
    }

    /// A connection to the port of clients that has said hello.
    RawPeer connect() throws IOException, InterruptedException {
        RawPeer peer = open(broker.address());
        peer.greet();
        return peer;
    }

    /// A connection that has sent nothing.
    RawPeer open(InetSocketAddress address) throws IOException {
        RawPeer peer = new RawPeer(address);
        peers.add(peer);
        return peer;
    }

    /// Runs an action on as many connections at the same time, and waits until all are done, were
    /// closed by the broker, or time is up.
    void each(int count, Action action) throws InterruptedException {
        run(count, number -> action.run(connect(), number));
    }

    /// As [#each], on connections that have sent nothing.
    void eachSilent(InetSocketAddress address, int count, Action action)
            throws InterruptedException {
        run(count, number -> action.run(open(address), number));
    }

    private interface Step {
        void run(int number) throws IOException, InterruptedException;
    }

    private void run(int count, Step step) throws InterruptedException {
        Future<?>[] all = new Future<?>[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            all[i] = threads.submit(() -> attempt(step, number));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ATTACK_SECONDS);
        for (Future<?> one : all) {
            try {
                one.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // The broker lets it wait. Closing the connections ends it.
            } catch (java.util.concurrent.ExecutionException e) {
                throw new IllegalStateException("an intruder failed by itself", e);
            }
        }
    }

    private void attempt(Step step, int number) {
        try {
            step.run(number);
        } catch (IOException | UncheckedIOException e) {
            stopped.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Connections made.
    int connected() {
        return peers.size();
    }

    /// Actions that the broker ended by closing their connection.
    int stopped() {
        return stopped.get();
    }

    /// Requests that the broker accepted.
    int accepted() {
        return peers.stream().mapToInt(RawPeer::accepted).sum();
    }

    /// Requests that the broker refused.
    int refused() {
        return peers.stream().mapToInt(RawPeer::refused).sum();
    }

    @Override
    public void close() {
        peers.forEach(RawPeer::close);
        threads.shutdownNow();
        threads.close();
    }
}
