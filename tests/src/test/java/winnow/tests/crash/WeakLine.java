package winnow.tests.crash;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// An address that leads one client to the broker of now. Each of its connections breaks after so
/// many bytes, which may be in the middle of a frame. Thread-safe.
final class WeakLine implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Supplier<String> broker;
    private final LongSupplier bytes;

    /// @param broker gives the URL of the broker of now, empty if there is none
    /// @param bytes gives after how many bytes both ways together a connection breaks
    WeakLine(Supplier<String> broker, LongSupplier bytes) throws IOException {
        this.broker = broker;
        this.bytes = bytes;
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> lead(client));
            }
        } catch (IOException e) {
            // The line was closed.
        }
    }

    private void lead(Socket client) {
        String url = broker.get();
        try (client) {
            if (!url.isEmpty()) {
                Line.copy(client, URI.create(url).getPort(), bytes.getAsLong());
            }
        } catch (IOException | InterruptedException e) {
            // The broker is gone, and with it the connection.
        }
    }

    /// The URL that the client uses.
    String url() {
        return "winnow://127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
