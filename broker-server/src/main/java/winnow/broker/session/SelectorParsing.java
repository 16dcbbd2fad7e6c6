package winnow.broker.session;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.SubscriptionFilter;
import winnow.selector.InvalidSelectorSyntaxException;
import winnow.selector.Selector;
import winnow.wire.ErrorCode;

/// Parses the filters of subscriptions on a thread of its own: text of 64 KiB takes milliseconds,
/// which no event loop has. The queue is bounded. Thread-safe.
public final class SelectorParsing implements AutoCloseable {
    private final ThreadPoolExecutor executor;

    /// @param maxPending selectors that may wait
    public SelectorParsing(int maxPending) {
        executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(maxPending),
                        task -> {
                            Thread thread = new Thread(task, "winnow-selectors");
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    /// Parses the filter, which is not empty, and calls one of the two on the parsing thread.
    ///
    /// @throws RefusedException if too many wait already
    void parse(
            SubscriptionFilter filter,
            Consumer<@Nullable Selector> parsed,
            Consumer<RefusedException> refused) {
        try {
            executor.execute(() -> parseNow(filter, parsed, refused));
        } catch (RejectedExecutionException e) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-pending-selectors is "
                            + executor.getQueue().size()
                            + ", all are in use");
        }
    }

    private static void parseNow(
            SubscriptionFilter filter,
            Consumer<@Nullable Selector> parsed,
            Consumer<RefusedException> refused) {
        @Nullable Selector selector;
        try {
            selector = filter.parse();
        } catch (InvalidSelectorSyntaxException e) {
            refused.accept(
                    new RefusedException(
                            ErrorCode.INVALID_SELECTOR, String.valueOf(e.getMessage())));
            return;
        } catch (RuntimeException e) {
            refused.accept(new RefusedException(ErrorCode.INTERNAL_ERROR, "selector: " + e));
            return;
        }
        parsed.accept(selector);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
