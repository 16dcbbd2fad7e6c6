package winnow.client.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The event loops that all connections of this process with the same number of I/O threads share.
/// They start with the first connection and end [#LINGER_SECONDS] after the last one was closed, so
/// that an application which opens a connection per message does not pay for threads each time.
/// Thread-safe.
public final class SharedEventLoops {
    private static final long LINGER_SECONDS = 5;
    private static final Map<Integer, SharedEventLoops> SHARED = new HashMap<>();

    private final int threads;
    private final EventLoopGroup group;
    private int users;

    /// Counts uses, so that a shutdown that was planned for an earlier idle time does nothing.
    private long acquired;

    private SharedEventLoops(int threads) {
        this.threads = threads;
        group = newGroup(threads);
    }

    /// Of the class that both Netty 4.1 and 4.2 have: which of them it is, the application's
    /// framework decides.
    @SuppressWarnings("deprecation") // In 4.2.
    private static EventLoopGroup newGroup(int threads) {
        return new NioEventLoopGroup(threads, new LoopThreads());
    }

    /// The shared loops with that many threads; give them back with [#release].
    public static SharedEventLoops acquire(int threads) {
        synchronized (SHARED) {
            SharedEventLoops loops = SHARED.computeIfAbsent(threads, SharedEventLoops::new);
            loops.users++;
            loops.acquired++;
            return loops;
        }
    }

    public void release() {
        synchronized (SHARED) {
            users--;
            if (users == 0) {
                long seen = acquired;
                var unused =
                        group.schedule(() -> endIfIdle(seen), LINGER_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private void endIfIdle(long seen) {
        synchronized (SHARED) {
            if (users == 0 && acquired == seen) {
                SHARED.remove(threads);
                var unused = group.shutdownGracefully(0, LINGER_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    public EventLoopGroup group() {
        return group;
    }

    /// Makes threads that do not keep the class loader of the application that connects first: they
    /// serve others, too.
    private static final class LoopThreads extends DefaultThreadFactory {
        LoopThreads() {
            super("winnow-io", true);
        }

        @Override
        protected Thread newThread(Runnable work, String name) {
            Thread thread = super.newThread(work, name);
            thread.setContextClassLoader(SharedEventLoops.class.getClassLoader());
            return thread;
        }
    }
}
