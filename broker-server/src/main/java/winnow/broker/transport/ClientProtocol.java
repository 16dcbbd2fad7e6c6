package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import winnow.broker.session.ClientConnection;

/// A protocol that clients may speak on the port, told by the first bytes that they send.
/// Thread-safe.
interface ClientProtocol {
    /// Answer of a protocol to the first bytes of a connection.
    enum Recognition {
        /// They are its own.
        YES,
        /// They are not.
        NO,
        /// It needs more of them to know.
        UNDECIDED
    }

    /// Tells whether these are the first bytes of the protocol.
    ///
    /// @param first borrowed; nothing is taken from it
    Recognition recognize(ByteBuf first);

    /// Makes what a connection of this protocol needs: it adds its handler to the end of the
    /// pipeline, with an [winnow.broker.session.Output] that writes the protocol's bytes.
    ///
    /// @param first the bytes that were recognized, of which the protocol's preamble is taken;
    ///   empty if the client is only to be told why it cannot stay
    /// @param readSize limits the reads of the channel
    ClientConnection begin(Channel channel, NettyLoop loop, ReadSize readSize, ByteBuf first);
}
