package winnow.client.transport;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.TransportException;

/// The answer to a request, which may be waited for again by who has given up waiting. Thread-safe.
public final class Answer {
    private final Requests requests;
    private final List<CompletableFuture<@Nullable Void>> all;
    private final CompletableFuture<@Nullable Void> own;
    private final String request;

    /// @param before the answer that has to come first
    /// @param request what it answers, for people
    Answer(
            Requests requests,
            CompletableFuture<@Nullable Void> before,
            CompletableFuture<@Nullable Void> own,
            String request) {
        this.requests = requests;
        this.own = own;
        this.request = request;
        all = List.of(before, own);
    }

    /// Waits until the request is accepted.
    ///
    /// @throws TransportException if it is refused, or the answer has not come in time: then it
    ///   still may
    public void await() throws TransportException {
        requests.awaitAll(all, request);
    }

    /// Tells if the answer is known, or none can come any more.
    public boolean isFinal() {
        return own.isDone();
    }

    /// Does something once the request is accepted: now, or where the socket is read. What it does
    /// must not block.
    public void whenAccepted(Runnable action) {
        var unused = own.thenRun(action);
    }
}
