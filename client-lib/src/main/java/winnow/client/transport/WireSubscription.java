package winnow.client.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.frame.ControlFrame;

/// A subscription of one connection, or a consumer of one of its sessions, from the moment it is
/// asked for, so that it can be ended even before the broker has answered. Thread-safe.
public final class WireSubscription {
    private final WireConnection connection;
    private final int id;
    private final String destination;
    private final DeliveryReceiver target;
    private final CompletableFuture<@Nullable Void> accepted;
    private final IntFunction<ControlFrame> lastFrame;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();

    /// @param accepted the answer to what asked for it, which was sent
    /// @param lastFrame makes the frame that ends it from a request id
    WireSubscription(
            WireConnection connection,
            int id,
            String destination,
            DeliveryReceiver target,
            CompletableFuture<@Nullable Void> accepted,
            IntFunction<ControlFrame> lastFrame) {
        this.connection = connection;
        this.id = id;
        this.destination = destination;
        this.target = target;
        this.accepted = accepted;
        this.lastFrame = lastFrame;
    }

    int id() {
        return id;
    }

    /// Waits until the broker has accepted it. If it does not in time, the subscription ends as
    /// soon as it does.
    ///
    /// @throws TransportException if the broker refuses or does not answer
    public void awaitAccepted() throws TransportException {
        try {
            connection.requests().await(accepted, "Subscribe");
        } catch (TransportException e) {
            accepted.whenComplete((none, failure) -> abandon(failure == null));
            throw connection.aboutDestination(e, destination);
        }
    }

    /// Calls back once the broker has answered: now, or where the socket is read. If it refuses,
    /// the subscription has ended.
    ///
    /// @param action gets the reason of a refusal, null if it has accepted; must not block
    public void whenAnswered(Consumer<@Nullable TransportException> action) {
        accepted.whenComplete((none, failure) -> {
            if (failure != null) {
                abandon(false);
            }
            action.accept(failure == null ? null : reasonOf(failure));
        });
    }

    private TransportException reasonOf(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof TransportException reason
                ? connection.aboutDestination(reason, destination)
                : new TransportException(
                        LocalFailure.CONNECTION_LOST, "no answer to Subscribe", cause);
    }

    private void abandon(boolean subscribed) {
        if (subscribed) {
            var unused = end();
        } else if (ending.compareAndSet(false, true)) {
            // The id is free from here on, so nothing may be said about it any more.
            onEnded(null);
        }
    }

    /// Ends it, without waiting. Until the broker has answered, messages go to the target, and the
    /// id is in use.
    ///
    /// @return the answer, the same one every time
    public CompletableFuture<@Nullable Void> end() {
        if (ending.compareAndSet(false, true)) {
            connection.requests().send(lastFrame).whenComplete((none, failure) -> onEnded(failure));
        }
        return ended;
    }

    private void onEnded(@Nullable Throwable failure) {
        connection.subscriptions().remove(id, target);
        if (failure == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(failure);
        }
    }

    /// Lets the broker deliver more. Does not wait; what is granted leaves in one frame with the
    /// next flush.
    public void grant(int messages, int bytes) {
        connection.output().grant(id, messages, bytes);
    }
}
