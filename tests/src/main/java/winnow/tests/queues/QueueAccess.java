package winnow.tests.queues;

import java.io.IOException;

/// One queue of a message system, over that system's own client library. Closing it closes its
/// connections. Not thread-safe, but for its senders, which are used by one thread each.
public interface QueueAccess extends AutoCloseable {

    /// A producer with a connection of its own.
    interface ConfirmedSender {
        /// Sends a persistent message and waits until it is confirmed.
        ///
        /// @throws Exception if it is not
        void send(byte[] body) throws Exception;
    }

    /// Connects a producer.
    ConfirmedSender sender() throws Exception;

    /// Receives the messages and acknowledges each, over a connection of its own, until this is
    /// closed.
    ///
    /// @param landed called for each message
    void consume(Runnable landed) throws Exception;

    @Override
    void close() throws IOException;
}
