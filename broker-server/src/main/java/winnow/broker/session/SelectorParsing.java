package winnow.broker.session;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.RefusedException;
import winnow.selector.InvalidSelectorSyntaxException;
import winnow.selector.Selector;
import winnow.wire.ErrorCode;
import winnow.wire.Source;

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

    /// Parses the filters of `source`, which has at least one, and calls one of the two on the
    /// parsing thread.
    ///
    /// @throws RefusedException if too many wait already
    void parse(Source source, Consumer<Selector> parsed, Consumer<RefusedException> refused) {
        try {
            executor.execute(() -> parseNow(source, parsed, refused));
        } catch (RejectedExecutionException e) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-pending-selectors is "
                            + executor.getQueue().size()
                            + ", all are in use");
        }
    }

    private static void parseNow(
            Source source, Consumer<Selector> parsed, Consumer<RefusedException> refused) {
        Selector selector;
        try {
            selector = selectorOf(source);
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

    private static Selector selectorOf(Source source) throws InvalidSelectorSyntaxException {
        Selector bySelector =
                source.selector().isBlank() ? null : Selector.parse(source.selector());
        Selector byCorrelationId =
                source.correlationIdFilter().isEmpty()
                        ? null
                        : Selector.ofCorrelationId(source.correlationIdFilter());
        return both(bySelector, byCorrelationId);
    }

    private static Selector both(@Nullable Selector first, @Nullable Selector second) {
        if (first == null || second == null) {
            Selector one = first == null ? second : first;
            if (one == null) {
                throw new IllegalArgumentException("no filter to parse");
            }
            return one;
        }
        return Selector.and(first, second);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
