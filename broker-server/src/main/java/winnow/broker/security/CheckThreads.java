package winnow.broker.security;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Threads that check credentials: daemons, which end when they have had nothing to do for a while.
/// Tasks wait without a bound here; who gives them bounds what waits.
public final class CheckThreads {
    private static final long IDLE_SECONDS = 30;

    private CheckThreads() {}

    /// @param name of all of them
    /// @param count largest number
    static ThreadPoolExecutor of(String name, int count) {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        count,
                        count,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
