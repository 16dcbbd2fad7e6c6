package winnow.client.transport;

/// What a confirmed publish leads to; exactly one of the methods is called. Called by the event
/// loop; must not block.
public interface Confirmation {
    /// The broker has handled the message.
    void onPublished();

    /// The broker has refused the message, or the connection was lost before its answer came.
    void onRefused(TransportException reason);
}
