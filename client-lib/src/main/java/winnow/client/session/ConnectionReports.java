package winnow.client.session;

import jakarta.jms.Connection;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.error.JmsErrors;
import winnow.client.link.Current;
import winnow.client.link.Loss;
import winnow.client.log.ClientLog;
import winnow.client.option.InterruptionListener;
import winnow.client.transport.endpoint.TransportException;

/// Everything that one connection tells the application and the log about itself. Does not block.
/// Thread-safe.
final class ConnectionReports {
    private static final Logger LOG = ClientLog.of(ConnectionReports.class);
    private static final int MAX_REPORTED = 100;
    private static final int MAX_WAITING = 100;

    private final Connection connection;
    private final CallbackThreads threads;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final @Nullable InterruptionListener interruptionListener;
    private final BooleanSupplier closed;

    /// Guarded by itself.
    private final Set<String> refusedDestinations = new HashSet<>();

    /// Calls of the interruption listener that wait for their turn, [#MAX_WAITING] at most. Guarded
    /// by itself.
    private final Queue<Consumer<InterruptionListener>> waiting = new ArrayDeque<>();

    private boolean calling;
    private final AtomicReference<@Nullable ExceptionListener> told = new AtomicReference<>();
    private volatile @Nullable ExceptionListener exceptionListener;
    private volatile @Nullable TransportException lost;

    /// @param closed whether the application has closed the connection
    ConnectionReports(
            Connection connection,
            CallbackThreads threads,
            @Nullable InterruptionListener interruptionListener,
            BooleanSupplier closed) {
        this.connection = connection;
        this.threads = threads;
        this.interruptionListener = interruptionListener;
        this.closed = closed;
    }

    @Nullable ExceptionListener exceptionListener() {
        return exceptionListener;
    }

    /// Sets who is told, once, that the connection is lost for good; soon, if it is already.
    void exceptionListener(@Nullable ExceptionListener listener) {
        exceptionListener = listener;
        TransportException cause = lost;
        if (cause != null) {
            callBack(cause, () -> {});
        }
    }

    /// Tells the exception listener of a problem that leaves the connection as it is.
    void tell(JMSException problem) {
        Runnable telling =
                () -> {
                    ExceptionListener listener = exceptionListener;
                    if (listener != null && !closed.getAsBoolean()) {
                        CallbackThreads.call(
                                "exception listener", () -> listener.onException(problem));
                    }
                };
        var unused = threads.run(CallbackThreads.withLoader(loader, telling), () -> tell(problem));
    }

    /// The connection is lost, and the client tries to come back.
    void onInterrupted(Loss loss) {
        String peer = loss.lost().wire().peer();
        LOG.warn("connection lost: {}; coming back", loss.cause().getMessage());
        call(listener -> listener.onInterrupted(connection, peer, JmsErrors.of(loss.cause())));
    }

    /// The client has come back.
    void onResumed(Current now, Duration gap) {
        String peer = now.wire().peer();
        LOG.info("connected to {} again after {}", peer, Loss.text(gap));
        call(listener -> listener.onResumed(connection, peer, gap));
    }

    /// Calls the interruption listener when it has returned from the calls before. If it does not
    /// for long, it misses the oldest ones, two at a time: an interruption and a resumption.
    void call(Consumer<InterruptionListener> what) {
        if (interruptionListener == null) {
            return;
        }
        boolean full;
        synchronized (waiting) {
            full = waiting.size() >= MAX_WAITING;
            if (full) {
                waiting.remove();
                waiting.remove();
            }
            waiting.add(what);
        }
        if (full) {
            LOG.warn("the interruption listener does not return: it is not told of all losses");
        }
        callWaiting();
    }

    private void callWaiting() {
        synchronized (waiting) {
            if (calling || waiting.isEmpty()) {
                return;
            }
            calling = threads.run(CallbackThreads.withLoader(loader, this::run), this::callWaiting);
        }
    }

    private void run() {
        InterruptionListener listener = interruptionListener;
        Consumer<InterruptionListener> next = poll();
        while (next != null && listener != null) {
            Consumer<InterruptionListener> what = next;
            CallbackThreads.call("interruption listener", () -> what.accept(listener));
            next = poll();
        }
    }

    private @Nullable Consumer<InterruptionListener> poll() {
        synchronized (waiting) {
            Consumer<InterruptionListener> next = waiting.poll();
            calling = next != null;
            return next;
        }
    }

    /// The connection is lost for good. Whoever is told may connect again.
    ///
    /// @param after done when the listener has returned
    void onEnded(TransportException cause, Runnable after) {
        lost = cause;
        callBack(cause, after);
    }

    private void callBack(TransportException cause, Runnable after) {
        Runnable telling =
                () -> {
                    if (exceptionListener == null && !closed.getAsBoolean()) {
                        LOG.warn("connection lost: {}", cause.getMessage());
                    }
                    tellLost(cause);
                    after.run();
                };
        var unused =
                threads.run(
                        CallbackThreads.withLoader(loader, telling), () -> callBack(cause, after));
    }

    /// Tells the listener of now, unless it was the last one that was told.
    @SuppressWarnings("ReferenceEquality") // It is about the listener itself.
    private void tellLost(TransportException cause) {
        ExceptionListener listener = exceptionListener;
        if (listener == null || closed.getAsBoolean() || told.getAndSet(listener) == listener) {
            return;
        }
        CallbackThreads.call("exception listener", () -> listener.onException(JmsErrors.of(cause)));
    }

    /// The broker has refused a message that asked for no confirmation.
    void onRefused(String destination, TransportException reason) {
        boolean first;
        synchronized (refusedDestinations) {
            first =
                    refusedDestinations.size() < MAX_REPORTED
                            && refusedDestinations.add(destination);
        }
        if (first) {
            LOG.warn(
                    "the broker refused a message to {} that was sent without confirmation: {};"
                            + " others to the same destination are not reported",
                    destination,
                    reason.getMessage());
        }
    }
}
