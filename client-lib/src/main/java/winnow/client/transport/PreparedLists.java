package winnow.client.transport;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.Xid;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Prepared;

/// Lists of prepared transactions that the broker is asked for, one at a time. Thread-safe.
final class PreparedLists {
    private final Requests requests;
    private final ReentrantLock lock = new ReentrantLock();

    /// Answers by their requests, until who has asked takes them.
    private final Map<Integer, Prepared> answers = new ConcurrentHashMap<>();

    PreparedLists(Requests requests) {
        this.requests = requests;
    }

    /// Asks, and waits for the answer.
    ///
    /// @throws TransportException if the broker refuses or does not answer
    Prepared ask(@Nullable Xid after) throws TransportException {
        lock.lock();
        try {
            AtomicInteger request = new AtomicInteger();
            CompletableFuture<@Nullable Void> answer =
                    requests.send(id -> {
                        request.set(id);
                        return new ListPrepared(id, after);
                    });
            requests.await(answer, "ListPrepared");
            Prepared list = answers.remove(request.get());
            if (list == null) {
                throw new TransportException(
                        ErrorCode.UNEXPECTED_FRAME, "expected Prepared before Accepted");
            }
            return list;
        } finally {
            answers.clear();
            lock.unlock();
        }
    }

    /// An answer has come. Where the socket is read.
    void onPrepared(Prepared list) {
        answers.clear();
        answers.put(list.requestId(), list);
    }
}
