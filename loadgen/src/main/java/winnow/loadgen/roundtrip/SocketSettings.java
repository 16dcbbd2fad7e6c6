package winnow.loadgen.roundtrip;

import java.net.Socket;
import java.net.SocketException;

/// Options of the sockets of the layers without a broker. Immutable.
///
/// @param noDelay whether small writes leave at once (TCP_NODELAY)
/// @param bufferBytes of SO_SNDBUF and SO_RCVBUF; 0 leaves them to the kernel
public record SocketSettings(boolean noDelay, int bufferBytes) {

    /// Longest wait for a message or a connection.
    static final int PATIENCE_MILLIS = 30_000;

    public SocketSettings {
        if (bufferBytes < 0) {
            throw new IllegalArgumentException("expected a buffer from 0, found " + bufferBytes);
        }
    }

    void apply(Socket socket) throws SocketException {
        socket.setTcpNoDelay(noDelay);
        socket.setSoTimeout(PATIENCE_MILLIS);
        if (bufferBytes > 0) {
            socket.setSendBufferSize(bufferBytes);
            socket.setReceiveBufferSize(bufferBytes);
        }
    }
}
