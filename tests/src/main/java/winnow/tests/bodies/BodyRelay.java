package winnow.tests.bodies;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Copies bytes from one connection to another: the first that comes gets what the second sends.
public final class BodyRelay {
    private static final int BUFFER_BYTES = 64 * 1024;

    private BodyRelay() {}

    /// Prints its port, and serves one pair of connections after the other.
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            System.out.println("relay ready: port=" + server.getLocalPort());
            byte[] buffer = new byte[BUFFER_BYTES];
            while (true) {
                try (Socket to = server.accept();
                        Socket from = server.accept()) {
                    InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream();
                    for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                        out.write(buffer, 0, size);
                    }
                }
            }
        }
    }
}
