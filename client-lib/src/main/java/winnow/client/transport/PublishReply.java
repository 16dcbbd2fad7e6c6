package winnow.client.transport;

import winnow.client.transport.endpoint.TransportException;

/// Outcome of a confirmed publish: [#onPublished] or [#onRefused] is called once, by who reads the
/// socket, and must not block.
public interface PublishReply {
    /// True if the sending thread waits for the outcome. Then nothing is gained by collecting more
    /// messages before the socket is written, and the thread writes itself if it can.
    boolean isAwaited();

    /// Checks that a message which was sent before is the same still. Called just before it is
    /// written once more: the wait for credit may have been long.
    ///
    /// @throws TransportException if it is not, or nobody wants it any more
    default void requireUnchanged() throws TransportException {}

    /// The broker has handled the message.
    void onPublished();

    /// The broker has refused the message, or the connection was lost before its answer came.
    void onRefused(TransportException reason);
}
