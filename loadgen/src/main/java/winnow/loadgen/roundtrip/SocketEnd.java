package winnow.loadgen.roundtrip;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/// A blocking TCP connection. Both sides know the size of a message, so nothing but its bytes is
/// sent.
final class SocketEnd implements End {

    private final Socket socket;
    private byte[] payload = {};

    private SocketEnd(Socket socket) {
        this.socket = socket;
    }

    static SocketEnd connect(InetSocketAddress address, SocketSettings settings)
            throws IOException {
        var socket = new Socket();
        try {
            settings.apply(socket);
            socket.connect(address, SocketSettings.PATIENCE_MILLIS);
            return new SocketEnd(socket);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /// The other side of a connection that was accepted.
    static SocketEnd of(Socket accepted, SocketSettings settings) throws IOException {
        settings.apply(accepted);
        return new SocketEnd(accepted);
    }

    @Override
    public void prepare(int bytes) {
        payload = new byte[bytes];
    }

    @Override
    public void send() throws IOException {
        write(payload, payload.length);
    }

    /// Writes the beginning of an array.
    void write(byte[] bytes, int length) throws IOException {
        socket.getOutputStream().write(bytes, 0, length);
    }

    @Override
    public void receive() throws IOException {
        read(payload, payload.length);
    }

    /// Fills the beginning of an array.
    void read(byte[] bytes, int length) throws IOException {
        if (socket.getInputStream().readNBytes(bytes, 0, length) < length) {
            throw new EOFException("the other side has closed the connection");
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
