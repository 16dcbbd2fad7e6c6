package winnow.client.transport;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.frame.ControlFrame;

/// The destinations that are open for publishing on one connection, by their numbers. Thread-safe.
final class PublishHandles {
    private final WireConnection connection;
    private final Requests requests;
    private final Map<Integer, PublishHandle> handles = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();

    PublishHandles(WireConnection connection, Requests requests) {
        this.connection = connection;
        this.requests = requests;
    }

    /// The destination with that number, null if it is not open.
    @Nullable PublishHandle get(int number) {
        return handles.get(number);
    }

    /// Opens a destination.
    ///
    /// @throws TransportException if the broker refuses
    PublishHandle open(DestinationKind kind, String name) throws TransportException {
        PublishHandle handle = new PublishHandle(freeNumber(), kind, name);
        handles.put(handle.number(), handle);
        CompletableFuture<@Nullable Void> answer =
                requests.send(id -> new ControlFrame.Open(id, handle.number(), kind, name));
        try {
            requests.await(answer, "Open");
        } catch (TransportException e) {
            answer.whenComplete((none, failure) -> abandon(handle, failure == null));
            throw connection.aboutDestination(e, name);
        }
        return handle;
    }

    private void abandon(PublishHandle handle, boolean opened) {
        if (opened) {
            release(handle);
        } else {
            handles.remove(handle.number());
        }
    }

    /// The next number that is free, in a circle: what the broker still says about a number that
    /// was given back is not taken for its next user.
    private int freeNumber() throws TransportException {
        for (int i = 0; i < Protocol.MAX_ID; i++) {
            int number = last.updateAndGet(before -> before % Protocol.MAX_ID + 1);
            if (!handles.containsKey(number)) {
                return number;
            }
        }
        throw new TransportException(
                ErrorCode.LIMIT_EXCEEDED,
                "expected at most " + Protocol.MAX_ID + " open destinations on one connection");
    }

    /// Gives a destination back.
    void release(PublishHandle handle) {
        if (handles.remove(handle.number(), handle)) {
            connection.writeQuietly(new ControlFrame.Release(handle.number()));
        }
    }
}
