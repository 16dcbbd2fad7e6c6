package winnow.client;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Threads that run the application's callbacks: message, completion and exception listeners. One
/// for each session that has something to deliver at the moment, so that a listener which blocks
/// holds up its own session only. Daemon threads, kept for a while when idle. Thread-safe.
final class CallbackThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackThreads.class);
    private static final long IDLE_SECONDS = 30;
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    CallbackThreads::newThread);

    private CallbackThreads() {}

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "winnow-callback-" + STARTED.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    static void run(Runnable work) {
        THREADS.execute(work);
    }

    /// Calls a listener. Whatever it throws is logged, so that those after it are called, too, and
    /// it leaves no interrupt to them.
    ///
    /// @param which names it in the log
    /// @return whether it returned normally
    static boolean call(String which, Runnable listener) {
        try {
            listener.run();
            return true;
        } catch (Throwable e) {
            LOG.warn("{} failed", which, e);
            return false;
        } finally {
            boolean unused = Thread.interrupted();
        }
    }
}
