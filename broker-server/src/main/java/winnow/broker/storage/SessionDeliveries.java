package winnow.broker.storage;

/// Deliveries of a session to its connection, on the connection's loop. Owned by the shard.
final class SessionDeliveries {
    private final Outbox outbox;
    private final SessionTarget target;
    private final int session;

    /// @param session the client's number for it
    SessionDeliveries(Outbox outbox, SessionTarget target, int session) {
        this.outbox = outbox;
        this.target = target;
        this.session = session;
    }

    /// Runs a short command on the connection's loop.
    void tell(Runnable command) {
        outbox.add(target.loop(), target, command);
    }

    /// The same for a command that copies bytes.
    ///
    /// @param bytes how many about
    void tell(int bytes, Runnable command) {
        outbox.add(target.loop(), target, bytes, command);
    }

    /// A message, as [SessionTarget#onDelivery], for which [Flight#take] had room.
    void send(int consumer, long delivery, int earlierDeliveries, byte[] block, int maxNameId) {
        tell(
                block.length,
                () ->
                        target.onDelivery(
                                session, consumer, delivery, earlierDeliveries, block, maxNameId));
    }

    /// The beginning of a message in parts, as [SessionTarget#onDeliveryInParts], for which
    /// [Flight#take] had room.
    void sendInParts(
            int consumer,
            long delivery,
            int earlierDeliveries,
            byte[] head,
            int maxNameId,
            int bodyBytes) {
        tell(
                head.length,
                () ->
                        target.onDeliveryInParts(
                                session,
                                consumer,
                                delivery,
                                earlierDeliveries,
                                head,
                                maxNameId,
                                bodyBytes));
    }

    /// A browser has been sent everything.
    void endBrowsing(int consumer) {
        tell(() -> target.onBrowseEnd(session, consumer));
    }

    /// The session is lost.
    void abandon(String why) {
        tell(() -> target.onAbandoned(why));
    }
}
