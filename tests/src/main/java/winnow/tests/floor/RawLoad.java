package winnow.tests.floor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.CpuClock;
import winnow.wire.frame.Publish;

/// Publishers and counting subscribers over plain sockets: publishers that send as much as they
/// can, with a bound on the copies in flight, so that relay and broker see the same batches; or
/// publishers that wait for the confirmation of each message before they send the next.
final class RawLoad {
    private static final String TOPIC = "floor";
    private static final int CREDIT_MESSAGES = 20_000;
    private static final int CREDIT_BYTES = 64 * 1024 * 1024;

    /// Longest wait between two looks at whether to stop.
    private static final long STOP_NANOS = 100_000_000;

    private final InetSocketAddress address;
    private final int publishers;
    private final int subscribers;
    private final ByteBuffer frames;
    private final int batch;
    private final int maxInFlight;
    private final boolean confirmed;
    private final AtomicLong sent = new AtomicLong();
    private final List<AtomicLong> received = new ArrayList<>();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private boolean readers;
    private volatile boolean stop;

    /// What was measured.
    ///
    /// @param messages messages received by the server in the interval
    /// @param seconds length of the interval
    /// @param cpuSeconds processor time of the server in it, without just-in-time compilation
    /// @param clientCpuSeconds processor time of this process in it
    record Result(long messages, double seconds, double cpuSeconds, double clientCpuSeconds) {
        double cpuMicrosPerMessage() {
            return cpuSeconds * 1e6 / messages;
        }

        double clientCpuMicrosPerMessage() {
            return clientCpuSeconds * 1e6 / messages;
        }

        double messagesPerSecond() {
            return messages / seconds;
        }
    }

    private RawLoad(
            InetSocketAddress address,
            int publishers,
            int subscribers,
            ByteBuffer frames,
            int batch,
            int maxInFlight,
            boolean confirmed) {
        this.address = address;
        this.publishers = publishers;
        this.subscribers = subscribers;
        this.frames = frames;
        this.batch = batch;
        this.maxInFlight = maxInFlight;
        this.confirmed = confirmed;
    }

    /// Publishers that send as much as they can.
    ///
    /// @param batch messages per write of a publisher
    /// @param maxInFlight copies that may be under way
    static RawLoad saturated(
            InetSocketAddress address,
            int publishers,
            int subscribers,
            int bodyBytes,
            int batch,
            int maxInFlight) {
        ByteBuffer frames = RawConnection.publishFrames(batch, bodyBytes, 0);
        return new RawLoad(address, publishers, subscribers, frames, batch, maxInFlight, false);
    }

    /// Publishers that wait for the confirmation of each message; one subscriber.
    ///
    /// @param readers whether each connection is read by a thread of its own, as it is in a client
    ///   that may get something at any time
    static RawLoad confirmed(
            InetSocketAddress address, int publishers, int bodyBytes, boolean readers) {
        ByteBuffer frame = RawConnection.publishFrames(1, bodyBytes, Publish.CONFIRM);
        RawLoad load = new RawLoad(address, publishers, 1, frame, 1, 1, true);
        load.readers = readers;
        return load;
    }

    /// Runs, and measures after a warm-up.
    Result run(ServerProcess server, Duration warmUp, Duration interval) throws Exception {
        List<Thread> publishing = new ArrayList<>();
        for (int i = 0; i < subscribers; i++) {
            AtomicLong counter = new AtomicLong();
            received.add(counter);
            RawConnection connection = new RawConnection(address);
            connection.subscribe(TOPIC, CREDIT_MESSAGES, CREDIT_BYTES);
            start("subscriber-" + i, () -> receive(connection, counter));
        }
        for (int i = 0; i < publishers; i++) {
            RawConnection connection = new RawConnection(address);
            connection.open(TOPIC);
            connection.blocking(confirmed);
            publishing.add(
                    start(
                            "publisher-" + i,
                            () -> {
                                if (confirmed) {
                                    publishConfirmed(connection);
                                } else {
                                    publish(connection);
                                }
                            }));
        }
        Thread.sleep(warmUp);
        long startNanos = System.nanoTime();
        long startSent = handled();
        CpuClock clientClock = CpuClock.ofProcess(ProcessHandle.current().pid());
        double startCpu = seconds(server.cpu());
        double clientStartCpu = seconds(clientClock);
        Thread.sleep(interval);
        double cpu = seconds(server.cpu()) - startCpu;
        double clientCpu = seconds(clientClock) - clientStartCpu;
        long messages = handled() - startSent;
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        stop = true;
        for (Thread thread : publishing) {
            thread.join();
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return new Result(messages, seconds, cpu, clientCpu);
    }

    static double seconds(CpuClock clock) throws IOException {
        return clock.cpuNanos().orElseThrow() / 1e9;
    }

    private Thread start(String name, Runnable work) {
        return Thread.ofPlatform().name(name).daemon().start(work);
    }

    private long handled() {
        return subscribers == 0 ? sent.get() : received.getFirst().get();
    }

    private void publish(RawConnection connection) {
        ByteBuffer mine = frames.duplicate();
        long window = Math.max(batch, (long) maxInFlight / Math.max(1, subscribers));
        try (connection) {
            while (!stop) {
                long all = sent.addAndGet(batch);
                while (all - slowest() > window && !stop) {
                    LockSupport.parkNanos(5_000);
                }
                mine.clear();
                connection.write(mine);
                connection.read();
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    private void publishConfirmed(RawConnection connection) {
        ByteBuffer mine = frames.duplicate();
        @Nullable Confirmations confirmations = readers ? new Confirmations(connection) : null;
        try (connection) {
            for (long count = 1; !stop; count++) {
                mine.clear();
                connection.write(mine);
                if (confirmations == null) {
                    connection.awaitPublished(count);
                } else {
                    confirmations.await(count);
                }
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    /// What a thread has read of a connection for the one that publishes.
    private final class Confirmations {
        private final Thread publisher = Thread.currentThread();
        private volatile long confirmed;

        Confirmations(RawConnection connection) {
            start(publisher.getName() + "-reader", () -> read(connection));
        }

        private void read(RawConnection connection) {
            try {
                for (long count = 1; !stop; count++) {
                    connection.awaitPublished(count);
                    confirmed = count;
                    LockSupport.unpark(publisher);
                }
            } catch (IOException | RuntimeException e) {
                fail(e);
            }
        }

        void await(long count) {
            while (confirmed < count && !stop) {
                LockSupport.parkNanos(this, STOP_NANOS);
            }
        }
    }

    private long slowest() {
        long least = Long.MAX_VALUE;
        for (AtomicLong one : received) {
            least = Math.min(least, one.get());
        }
        return least == Long.MAX_VALUE ? sent.get() : least;
    }

    private void receive(RawConnection connection, AtomicLong counter) {
        long credited = 0;
        try (connection) {
            while (!stop) {
                long deliveries = connection.read();
                counter.set(deliveries);
                int owed = (int) (deliveries - credited);
                if (owed > CREDIT_MESSAGES / 4) {
                    credited = deliveries;
                    connection.credit(owed, CREDIT_BYTES / 4);
                }
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Exception e) {
        if (!stop) {
            failure.compareAndSet(null, e instanceof UncheckedIOException io ? io.getCause() : e);
            stop = true;
        }
    }
}
