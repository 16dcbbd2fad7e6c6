package winnow.client.receive;

/// Owner of the messages of a [ConsumerBuffer]. Called by who reads the socket; must not block.
public interface InboxOwner {
    /// Messages have come, or a listener's thread may read the socket.
    default void onArrival() {}

    /// True if a listener is called when messages have come.
    default boolean isListening() {
        return false;
    }

    /// True if the bodies of messages in parts do not come.
    default boolean isBrowsing() {
        return false;
    }

    /// Another consumer waits for what was not used.
    default void onRecall() {}

    /// A message was too long to be kept.
    ///
    /// @param delivery 0 if the broker does not keep it either
    default void onSkipped(long delivery, int frameBytes) {}
}
