package winnow.client;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Threads that run the application's callbacks on one connection: message, completion and
/// exception listeners. One for each session that has something to deliver at the moment, so that a
/// listener which blocks holds up its own session only. Daemon threads, kept for a while when idle.
///
/// They belong to one connection, and inherit nothing from the thread that happens to start them,
/// so that nothing of an application stays in a thread that serves another. Thread-safe.
final class CallbackThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackThreads.class);
    private static final long IDLE_SECONDS = 30;
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final ThreadPoolExecutor threads;
    private final Executor later;

    /// @param later runs something after a moment, without a new thread
    CallbackThreads(Executor later) {
        this(later, CallbackThreads::newThread);
    }

    /// @param later runs something after a moment, without a new thread
    CallbackThreads(Executor later, ThreadFactory factory) {
        this.later = later;
        threads =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        factory);
    }

    private static Thread newThread(Runnable work) {
        String name = "winnow-callback-" + STARTED.incrementAndGet();
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setContextClassLoader(CallbackThreads.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    /// Makes callbacks run with a context class loader, which the thread keeps no longer than that.
    static Runnable withLoader(@Nullable ClassLoader loader, Runnable callbacks) {
        return () -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                callbacks.run();
            } finally {
                thread.setContextClassLoader(before);
            }
        };
    }

    /// Runs callbacks in one of the threads. After [#close] nothing is run.
    ///
    /// @param again what to do after a moment if there is no thread
    /// @return false if there is no thread, because the process has too many or too little memory
    boolean run(Runnable callbacks, Runnable again) {
        try {
            threads.execute(callbacks);
            return true;
        } catch (OutOfMemoryError | RuntimeException e) {
            if (!threads.isShutdown()) {
                LOG.warn("could not start a thread for callbacks; trying again", e);
                later.execute(again);
            }
            return false;
        }
    }

    /// Ends the threads that are idle, and the others when they become it.
    void close() {
        threads.shutdown();
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
