package winnow.client.transport;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;

/// Requests that wait for Accepted or Refused. Thread-safe: application threads ask and wait, the
/// event loop answers.
final class Requests {
    private final Map<Integer, CompletableFuture<@Nullable Void>> waiting =
            new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();
    private final Output output;
    private final SocketReader reader;
    private final long timeoutMillis;

    Requests(Output output, SocketReader reader, long timeoutMillis) {
        this.output = output;
        this.reader = reader;
        this.timeoutMillis = timeoutMillis;
    }

    /// Sends a request and waits for its answer.
    ///
    /// @param frame makes the frame of a request id
    /// @throws TransportException if it was refused, not answered in time, or cannot be any more
    void ask(IntFunction<ControlFrame> frame) throws TransportException {
        int id = lastId.updateAndGet(last -> last == Integer.MAX_VALUE ? 1 : last + 1);
        CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        reader.recall();
        ControlFrame request = frame.apply(id);
        try {
            output.write(request);
            answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TransportException reason
                    ? reason.again()
                    : new TransportException(ErrorCode.NONE, e.toString(), e);
        } catch (TimeoutException e) {
            throw new TransportException(
                    ErrorCode.NONE,
                    "expected an answer to %s within %d ms, found none"
                            .formatted(request.getClass().getSimpleName(), timeoutMillis),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    ErrorCode.NONE, "interrupted while waiting for the broker's answer", e);
        } finally {
            waiting.remove(id);
        }
    }

    /// Whether none waits.
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// An answer to a request that nobody waits for any more is ignored.
    void onAccepted(int id) {
        CompletableFuture<@Nullable Void> answer = waiting.get(id);
        if (answer != null) {
            answer.complete(null);
        }
    }

    void onRefused(int id, TransportException reason) {
        CompletableFuture<@Nullable Void> answer = waiting.get(id);
        if (answer != null) {
            answer.completeExceptionally(reason);
        }
    }

    /// Fails all that wait. Those that come later fail in [Output#write].
    void onLost(TransportException cause) {
        waiting.values().forEach(answer -> answer.completeExceptionally(cause));
    }
}
