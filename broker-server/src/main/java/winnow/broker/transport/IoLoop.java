package winnow.broker.transport;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import winnow.broker.metrics.Iterations;

/// Netty's event loop, which tells its [Iterations] when it polls and when the poll has returned.
final class IoLoop extends SingleThreadIoEventLoop {
    private final IoHandlerContext context = new Context();
    private @Nullable Iterations iterations;

    IoLoop(IoEventLoopGroup group, Executor executor, IoHandlerFactory handlers) {
        super(group, executor, handlers);
    }

    /// Measures from now on. To be called before the first task is given to the loop.
    void measure(Iterations newIterations) {
        iterations = newIterations;
    }

    @Override
    protected int runIo() {
        Iterations measured = iterations;
        if (measured == null) {
            return super.runIo();
        }
        measured.onPoll(System.nanoTime());
        int handled = ioHandler().run(context);
        measured.onHandled(handled);
        return handled;
    }

    private void onPolled(boolean mayWait) {
        Iterations measured = iterations;
        if (measured != null) {
            measured.onPolled(System.nanoTime(), mayWait);
        }
    }

    /// The same as Netty's own. The handlers of epoll and nio ask it whether to measure what comes
    /// after the poll, each time that the poll has returned.
    private final class Context implements IoHandlerContext {
        /// True if the poll was allowed to wait. It is asked for afterwards, too.
        private boolean mayWait;

        @Override
        public boolean canBlock() {
            boolean idle = !hasTasks() && !hasScheduledTasks();
            mayWait |= idle;
            return idle;
        }

        @Override
        public long delayNanos(long nowNanos) {
            return IoLoop.this.delayNanos(nowNanos);
        }

        @Override
        public long deadlineNanos() {
            return IoLoop.this.deadlineNanos();
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            onPolled(mayWait);
            mayWait = false;
            return false;
        }
    }
}
