package winnow.client.transport;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.frame.ControlFrame;

/// Requests that the broker has not answered by Accepted or Refused. Thread-safe: application
/// threads send and wait, who reads the socket answers.
///
/// A request whose sender has given up waiting is still answered, and until then what it asked for
/// may be there or not: its ids are free when the answer has come.
final class Requests {
    private final Map<Integer, CompletableFuture<@Nullable Void>> waiting =
            new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();
    private final SendBuffer output;
    private final SocketReader reader;
    private final long timeoutMillis;

    Requests(SendBuffer output, SocketReader reader, long timeoutMillis) {
        this.output = output;
        this.reader = reader;
        this.timeoutMillis = timeoutMillis;
    }

    /// Sends a request.
    ///
    /// @param frame makes the frame of a request id
    /// @return the answer, which fails with a TransportException if the request is refused or
    ///   cannot be answered any more; what depends on it runs where the socket is read
    CompletableFuture<@Nullable Void> send(IntFunction<ControlFrame> frame) {
        CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
        send(frame, answer);
        return answer;
    }

    /// Sends a request, and does something where the socket is read when the answer comes, before
    /// what follows it is read.
    ///
    /// @param frame makes the frame of a request id
    /// @param onAnswer whatever the answer is
    /// @return the answer, which comes when that is done
    CompletableFuture<@Nullable Void> send(IntFunction<ControlFrame> frame, Runnable onAnswer) {
        CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> done =
                answer.whenComplete((none, failure) -> onAnswer.run());
        send(frame, answer);
        return done;
    }

    private void send(IntFunction<ControlFrame> frame, CompletableFuture<@Nullable Void> answer) {
        int id = lastId.updateAndGet(last -> last == Integer.MAX_VALUE ? 1 : last + 1);
        waiting.put(id, answer);
        reader.recall();
        try {
            output.write(frame.apply(id));
        } catch (TransportException e) {
            onRefused(id, e);
        }
    }

    /// Waits for an answer.
    ///
    /// @param request what it answers, for people
    /// @throws TransportException if it failed, or has not come in time: then it still may
    void await(CompletableFuture<@Nullable Void> answer, String request) throws TransportException {
        await(answer, request, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
    }

    /// Waits for all answers, no longer than for one.
    ///
    /// @param request what they answer, for people
    /// @throws TransportException the first failure, if one failed or has not come in time: then it
    ///   still may
    void awaitAll(List<CompletableFuture<@Nullable Void>> answers, String request)
            throws TransportException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        TransportException first = null;
        for (CompletableFuture<@Nullable Void> answer : answers) {
            try {
                await(answer, request, deadline);
            } catch (TransportException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void await(CompletableFuture<@Nullable Void> answer, String request, long deadline)
            throws TransportException {
        try {
            answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TransportException reason
                    ? reason
                    : new TransportException(
                            LocalFailure.CONNECTION_LOST, "no answer to " + request, e.getCause());
        } catch (TimeoutException e) {
            throw new TransportException(
                    LocalFailure.TIMED_OUT,
                    "expected an answer to %s within %d ms, found none"
                            .formatted(request, timeoutMillis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    LocalFailure.INTERRUPTED, "interrupted while waiting for the broker's answer");
        }
    }

    /// True if all are answered.
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// An answer to a request that was never sent is ignored.
    void onAccepted(int id) {
        CompletableFuture<@Nullable Void> answer = waiting.remove(id);
        if (answer != null) {
            answer.complete(null);
        }
    }

    void onRefused(int id, TransportException reason) {
        CompletableFuture<@Nullable Void> answer = waiting.remove(id);
        if (answer != null) {
            answer.completeExceptionally(reason);
        }
    }

    /// Fails all that wait. Those that come later fail in [SendBuffer#write].
    void onLost(TransportException cause) {
        waiting.keySet().forEach(id -> onRefused(id, cause));
    }
}
