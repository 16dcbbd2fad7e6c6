package winnow.client.transport;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;

/// The outcome of one handshake: set once, by the event loop that reads Welcome or what comes
/// instead, or by the thread that gives up waiting for it. Thread-safe.
public final class HandshakeResult {
    private final CompletableFuture<WireConnection> outcome = new CompletableFuture<>();
    private final Greeting greeting = new Greeting();

    /// Tasks of the waiting thread; a broker causes one task at most.
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    /// Bytes came before the outcome. Borrows them.
    void onRead(ByteBuf in) {
        greeting.add(in);
    }

    /// Welcome came.
    ///
    /// @return false if nobody waits for it any more
    boolean succeed(WireConnection connection) {
        boolean awaited = outcome.complete(connection);
        wakeUp();
        return awaited;
    }

    /// Something else came.
    void fail(TransportException reason) {
        outcome.completeExceptionally(reason);
        wakeUp();
    }

    private void wakeUp() {
        tasks.add(() -> {});
    }

    /// Has the waiting thread do something that takes too long for the event loop.
    void doWaiting(Runnable task) {
        tasks.add(task);
    }

    /// Failure that names the server that answered, if it cannot be a Winnow broker.
    @Nullable TransportException otherServer() {
        String other = greeting.otherServer();
        return other == null ? null : new TransportException(LocalFailure.NOT_A_BROKER, other);
    }

    /// The connection is gone before there was an outcome.
    ///
    /// @param error null if the server closed it
    TransportException ended(@Nullable Throwable error) {
        TransportException other = otherServer();
        if (other != null) {
            return other;
        }
        String what = greeting.isEmpty() ? "an answer" : "a whole answer";
        String how =
                error == null
                        ? "it closed the connection"
                        : "the connection broke (" + error.getMessage() + ")";
        return new TransportException(LocalFailure.CONNECT_FAILED, how + " without " + what, error);
    }

    /// Waits for the outcome.
    ///
    /// @param timeoutMillis what is said to have been too short
    /// @throws TransportException with the reason, as a sentence about "it" unless a broker said it
    public WireConnection await(long timeoutNanos, long timeoutMillis) throws TransportException {
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            while (!outcome.isDone()) {
                long rest = deadline - System.nanoTime();
                Runnable task = tasks.poll(Math.max(0, rest), TimeUnit.NANOSECONDS);
                if (task == null) {
                    return giveUp(silence(timeoutMillis));
                }
                task.run();
            }
            return outcome();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(
                    new TransportException(
                            LocalFailure.INTERRUPTED, "interrupted while waiting for an answer"));
        }
    }

    /// Sets the outcome, unless it came in this moment.
    private WireConnection giveUp(TransportException reason) throws TransportException {
        if (outcome.completeExceptionally(reason)) {
            throw reason;
        }
        return outcome();
    }

    private WireConnection outcome() throws TransportException {
        try {
            return outcome.join();
        } catch (CompletionException e) {
            throw reason(e);
        }
    }

    private static TransportException reason(Exception failure) {
        return failure.getCause() instanceof TransportException reason
                ? reason
                : new TransportException(LocalFailure.CONNECT_FAILED, failure.toString(), failure);
    }

    private TransportException silence(long timeoutMillis) {
        TransportException other = otherServer();
        return other != null
                ? other
                : new TransportException(
                        LocalFailure.TIMED_OUT,
                        "it accepted the connection but did not answer within %d ms"
                                .formatted(timeoutMillis));
    }
}
