package winnow.client.transport;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A socket that threads other than its event loop may write to, as long as they take turns with
/// it: the JDK's channel is safe against a concurrent close, which a native transport is not.
class DirectSocket extends NioSocketChannel {
    /// Writes what the socket takes at once.
    ///
    /// @return bytes written, fewer than `length` if the socket is full
    int tryWrite(byte[] array, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(array, 0, length);
        javaChannel().write(bytes);
        return bytes.position();
    }
}
