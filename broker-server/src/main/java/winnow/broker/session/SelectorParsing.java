package winnow.broker.session;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SubscriptionFilter;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.wire.ErrorCode;

/// Parses the filters of subscriptions on a thread of its own: text of 64 KiB takes milliseconds,
/// which no event loop has. The queue is bounded, in filters and in their characters. Thread-safe.
public final class SelectorParsing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SelectorParsing.class);

    /// Longest selector or filter, which the parser would refuse, but after it has waited.
    private static final int MAX_CHARACTERS = SelectorLimits.DEFAULT.maxTextLength();

    /// Characters that may wait: 32 MiB at most.
    private static final int MAX_PENDING_CHARACTERS = 16 * 1024 * 1024;

    private final AtomicLong pendingCharacters = new AtomicLong();

    private final int maxPending;
    private final SelectorLimits limits;
    private final ThreadPoolExecutor executor;

    /// @param maxPending selectors that may wait
    /// @param limits what each may ask for
    public SelectorParsing(int maxPending, SelectorLimits limits) {
        this.maxPending = maxPending;
        this.limits = limits;
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
    /// @param wanted asked when it is the filter's turn; if it is not wanted any more it is refused
    /// @param parsed may refuse it, too
    /// @throws RefusedException if its text is too long or too much waits already
    void parse(
            SubscriptionFilter filter,
            BooleanSupplier wanted,
            Consumer<@Nullable Selector> parsed,
            Consumer<RefusedException> refused) {
        requireLength("selector", filter.selector());
        requireLength("correlation-ID filter", filter.correlationIdFilter());
        if (pendingCharacters.addAndGet(filter.characters()) > MAX_PENDING_CHARACTERS) {
            pendingCharacters.addAndGet(-filter.characters());
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "selectors of " + MAX_PENDING_CHARACTERS + " characters wait to be parsed");
        }
        try {
            executor.execute(() -> {
                pendingCharacters.addAndGet(-filter.characters());
                if (wanted.getAsBoolean()) {
                    parseNow(filter, parsed, refused);
                } else {
                    refused.accept(
                            new RefusedException(
                                    ErrorCode.SHUTTING_DOWN, "the connection is closed"));
                }
            });
        } catch (RejectedExecutionException e) {
            pendingCharacters.addAndGet(-filter.characters());
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-pending-selectors is " + maxPending + ", all are in use");
        }
    }

    private static void requireLength(String what, String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new RefusedException(
                    ErrorCode.INVALID_SELECTOR,
                    what
                            + ": expected at most "
                            + MAX_CHARACTERS
                            + " characters, found "
                            + text.length());
        }
    }

    /// A fault is that of one filter among others: it is answered, and the thread goes on.
    private void parseNow(
            SubscriptionFilter filter,
            Consumer<@Nullable Selector> parsed,
            Consumer<RefusedException> refused) {
        try {
            parsed.accept(filter.parse(limits));
        } catch (RefusedException e) {
            refused.accept(e);
        } catch (InvalidSelectorSyntaxException e) {
            refused.accept(
                    new RefusedException(
                            ErrorCode.INVALID_SELECTOR, String.valueOf(e.getMessage())));
        } catch (RuntimeException | Error e) {
            FatalErrors.endIfFatal(e);
            LOG.error("A selector of {} characters was not parsed", filter.characters(), e);
            refused.accept(new RefusedException(ErrorCode.INTERNAL_ERROR, "selector: " + e));
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
