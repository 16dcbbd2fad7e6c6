package winnow.client.transport;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/// A socket that threads other than its event loop may read and write, as long as they take turns
/// with it: the JDK's channel is safe against a concurrent close, which a native transport is not.
public class DirectSocket extends NioSocketChannel {
    private volatile boolean direct = true;

    /// Only the event loop may read and write from now on, because the bytes go through its
    /// handlers. To be called before the connection is made.
    public void requireLoop() {
        direct = false;
    }

    /// True if other threads may read and write.
    boolean isDirect() {
        return direct;
    }

    /// Writes what the socket takes at once.
    ///
    /// @return bytes written, fewer than `length` if the socket is full
    int tryWrite(byte[] array, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(array, 0, length);
        javaChannel().write(bytes);
        return bytes.position();
    }

    /// Reads what is there.
    ///
    /// @return bytes read, 0 if there are none now, -1 at the end of the stream
    int tryRead(ByteBuffer to) throws IOException {
        return javaChannel().read(to);
    }

    /// A selector that wakes up when there is something to read. Until it is closed, the socket's
    /// descriptor stays.
    Selector newReadSelector() throws IOException {
        Selector selector = Selector.open();
        try {
            javaChannel().register(selector, SelectionKey.OP_READ);
            return selector;
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }
}
