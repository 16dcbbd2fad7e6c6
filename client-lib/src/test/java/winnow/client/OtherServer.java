package winnow.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A server that does not speak Winnow's protocol. Serves one connection after the other, each with
/// the same script.
final class OtherServer implements AutoCloseable {
    /// What it does with a connection, which is closed when this returns.
    interface Script {
        void run(Socket connection) throws IOException;
    }

    private final ServerSocket server;
    private final BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();

    OtherServer(Script script) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(() -> accept(script), "other-server");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /// Sends this as soon as it is connected to, then reads to the end.
    static OtherServer greeting(byte[] greeting) throws IOException {
        return new OtherServer(connection -> {
            connection.getOutputStream().write(greeting);
            readToTheEnd(connection);
        });
    }

    /// Sends this when an empty line has come, as servers of HTTP do.
    static OtherServer answeringLines(byte[] answer) throws IOException {
        return new OtherServer(connection -> {
            InputStream in = connection.getInputStream();
            int last = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                last = (last << Byte.SIZE) | next;
                if (last == 0x0D0A0D0A) {
                    connection.getOutputStream().write(answer);
                    break;
                }
            }
            readToTheEnd(connection);
        });
    }

    /// Reads to the end and says nothing.
    static OtherServer silent() throws IOException {
        return greeting(new byte[0]);
    }

    static void readToTheEnd(Socket connection) throws IOException {
        byte[] sink = new byte[4096];
        int count;
        do {
            count = connection.getInputStream().read(sink);
        } while (count >= 0);
    }

    private void accept(Script script) {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                script.run(connection);
            } catch (IOException broken) {
                // By the client, or because the server was closed.
            } finally {
                ends.add(0);
            }
        }
    }

    int port() {
        return server.getLocalPort();
    }

    WinnowConnectionFactory factory() {
        return new WinnowConnectionFactory(
                "winnow://127.0.0.1:"
                        + port()
                        + "?maxReconnectAttempts=0&startupMaxReconnectAttempts=0");
    }

    /// Connections that were served to their end: the client's, for a script that reads that far.
    BlockingQueue<Integer> ends() {
        return ends;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
