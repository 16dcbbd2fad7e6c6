package winnow.loadgen.fake;

import jakarta.jms.JMSException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Passes what one process publishes on to the [FakeBroker] of every process, over loopback.
public final class FakeHub implements AutoCloseable {

    private static final Map<Integer, Client> CLIENTS = new ConcurrentHashMap<>();

    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    public FakeHub() throws IOException {
        Thread.ofVirtual().name("fake hub").start(this::accept);
    }

    /// The url of a broker of all processes.
    public String url() {
        return "fake://127.0.0.1:" + listening.getLocalPort() + "/none";
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (var socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                var socket = listening.accept();
                sockets.add(socket);
                Thread.ofVirtual().name("fake hub's client").start(() -> passOn(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void passOn(Socket from) {
        try (from) {
            var in = new DataInputStream(from.getInputStream());
            while (true) {
                var topic = in.readUTF();
                var message = in.readNBytes(in.readInt());
                for (var socket : sockets) {
                    write(socket, topic, message);
                }
            }
        } catch (IOException closed) {
            sockets.remove(from);
        }
    }

    private static void write(Socket socket, String topic, byte[] message) throws IOException {
        synchronized (socket) {
            var out = new DataOutputStream(socket.getOutputStream());
            out.writeUTF(topic);
            out.writeInt(message.length);
            out.write(message);
        }
    }

    /// The connection of this process.
    static Client client(int port) {
        return CLIENTS.computeIfAbsent(
                port,
                _ -> {
                    try {
                        return new Client(new Socket(InetAddress.getLoopbackAddress(), port));
                    } catch (IOException failed) {
                        throw new IllegalStateException(failed);
                    }
                });
    }

    /// One process.
    static final class Client {

        private final Socket socket;

        private Client(Socket socket) {
            this.socket = socket;
            Thread.ofVirtual().name("fake hub's messages").start(this::receive);
        }

        void publish(String topic, FakeMessage message) throws JMSException {
            try {
                write(socket, topic, message.bytes());
            } catch (IOException closed) {
                throw new JMSException("fake hub went away");
            }
        }

        private void receive() {
            try (socket) {
                var in = new DataInputStream(socket.getInputStream());
                while (true) {
                    var topic = in.readUTF();
                    var message = in.readNBytes(in.readInt());
                    FakeBroker.publish(topic, FakeMessage.of(message), Fault.NONE);
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }
    }
}
