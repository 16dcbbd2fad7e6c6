package winnow.loadgen.roundtrip;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;

/// The side that answers, on a thread of its own. Phases are given by the producer's thread.
final class Reflector implements AutoCloseable {

    private static final long CLOSE_SECONDS = 10;

    private final End end;
    private final SynchronousQueue<Phase> phases = new SynchronousQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Exception failure;

    /// Messages to receive.
    ///
    /// @param answersEach whether each is answered, or the last one alone
    private record Phase(int bytes, int messages, boolean answersEach, CountDownLatch ready) {}

    /// Takes the end.
    Reflector(End end) {
        this.end = end;
        thread = Thread.ofPlatform().daemon().name("reflector").start(this::run);
    }

    /// Says what comes next, and waits until it is expected.
    void expect(int bytes, int messages, boolean answersEach)
            throws InterruptedException, LoadException {
        if (failure != null || ended.getCount() == 0) {
            throw ended();
        }
        var ready = new CountDownLatch(1);
        var patience = SocketSettings.PATIENCE_MILLIS;
        var phase = new Phase(bytes, messages, answersEach, ready);
        var waits =
                phases.offer(phase, patience, TimeUnit.MILLISECONDS)
                        && ready.await(patience, TimeUnit.MILLISECONDS);
        if (failure != null || !waits) {
            throw ended();
        }
    }

    private LoadException ended() {
        var reason = failure;
        return reason == null
                ? new LoadException("the reflector does not answer")
                : new LoadException("the reflector failed: " + reason.getMessage(), reason);
    }

    /// Failure that ended it; null if none did.
    @Nullable Exception failure() {
        return failure;
    }

    private void run() {
        try {
            while (true) {
                var phase = phases.take();
                try {
                    end.prepare(phase.bytes());
                } catch (Exception failed) {
                    failure = failed;
                    throw failed;
                } finally {
                    phase.ready().countDown();
                }
                for (var i = 1; i <= phase.messages(); i++) {
                    end.receive();
                    if (phase.answersEach() || i == phase.messages()) {
                        end.send();
                    }
                }
            }
        } catch (InterruptedException closed) {
            // By the producer's thread.
        } catch (Exception failed) {
            failure = failed;
        } finally {
            end.close();
            ended.countDown();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        end.close();
        try {
            var _ = ended.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
