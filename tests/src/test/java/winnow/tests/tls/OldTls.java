package winnow.tests.tls;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import winnow.wire.tls.TrustedCertificates;

/// Stands between a client and a broker and speaks TLS 1.2 alone with one of them, in clear with
/// the other. Thread-safe.
final class OldTls implements AutoCloseable {
    private static final String[] PROTOCOLS = {"TLSv1.2"};

    private final ServerSocket listening;
    private final SocketFactory sockets;
    private final int brokerPort;
    private final List<String> protocols = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    private OldTls(ServerSocket listening, SocketFactory sockets, int brokerPort) {
        this.listening = listening;
        this.sockets = sockets;
        this.brokerPort = brokerPort;
        Thread.ofVirtual().start(this::acceptAll);
    }

    /// Speaks TLS with clients.
    static OldTls server(X509Bundle bundle, int brokerPort) throws Exception {
        char[] password = Certificates.PASSWORD.toCharArray();
        KeyStore store = bundle.toKeyStore(password);
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        SSLServerSocket listening =
                (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0);
        listening.setEnabledProtocols(PROTOCOLS);
        return new OldTls(listening, SocketFactory.getDefault(), brokerPort);
    }

    /// Speaks TLS with the broker.
    static OldTls client(Path trusted, int brokerPort) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {TrustedCertificates.of(trusted, "")}, null);
        return new OldTls(new ServerSocket(0), context.getSocketFactory(), brokerPort);
    }

    int port() {
        return listening.getLocalPort();
    }

    /// Those of the connections so far.
    List<String> protocols() {
        return protocols;
    }

    private void acceptAll() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> connect(client));
            }
        } catch (IOException closed) {
            // By the test.
        }
    }

    private void connect(Socket client) {
        try {
            Socket broker = sockets.createSocket("localhost", brokerPort);
            open.add(broker);
            for (Socket one : List.of(client, broker)) {
                if (one instanceof SSLSocket secured) {
                    secured.setEnabledProtocols(PROTOCOLS);
                    secured.startHandshake();
                    protocols.add(secured.getSession().getProtocol());
                }
            }
            Thread.ofVirtual().start(() -> copy(client, broker));
            copy(broker, client);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // By one side, or the test.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
