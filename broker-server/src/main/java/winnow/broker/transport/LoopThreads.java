package winnow.broker.transport;

import io.netty.util.concurrent.DefaultThreadFactory;
import winnow.broker.fault.FatalErrors;

/// Makes the daemon threads of event loops. A loop that ends before it is stopped leaves sockets
/// that nobody serves, so it ends the process. Thread-safe.
final class LoopThreads extends DefaultThreadFactory {
    private volatile boolean stopping;

    /// @param name what the names of its threads begin with
    LoopThreads(String name) {
        super(name, true);
    }

    /// From now on its threads may end.
    void onStop() {
        stopping = true;
    }

    @Override
    public Thread newThread(Runnable loop) {
        return super.newThread(() -> runToTheEnd(loop));
    }

    private void runToTheEnd(Runnable loop) {
        try {
            loop.run();
        } catch (Throwable failure) {
            FatalErrors.endIfFatal(failure);
            throw failure;
        } finally {
            if (!stopping) {
                FatalErrors.end(
                        new IllegalStateException(
                                Thread.currentThread().getName() + " has ended; see the log"));
            }
        }
    }
}
