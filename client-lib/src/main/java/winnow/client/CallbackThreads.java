package winnow.client;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Threads that run the application's callbacks: message, completion and exception listeners. One
/// for each session that has something to deliver at the moment, so that a listener which blocks
/// holds up its own session only. Daemon threads, kept for a while when idle. Thread-safe.
final class CallbackThreads {
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
}
