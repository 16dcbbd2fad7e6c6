package winnow.broker.identity;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// Sockets of TLS of one connection; the server's certificate has to be for the host that was asked
/// for. Thread-safe.
final class LdapSockets extends SSLSocketFactory {
    /// Rules for names in certificates of directories.
    private static final String IDENTIFICATION = "LDAPS";

    private final SSLSocketFactory sockets;
    private volatile @Nullable Socket last;

    LdapSockets(SSLSocketFactory sockets) {
        this.sockets = sockets;
    }

    private Socket identifying(Socket socket) {
        SSLSocket tls = (SSLSocket) socket;
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(IDENTIFICATION);
        tls.setSSLParameters(parameters);
        last = tls;
        return tls;
    }

    /// Ends the connection, also in the middle of a handshake.
    void close() {
        Socket socket = last;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException _) {
                // It has ended.
            }
        }
    }

    @Override
    public Socket createSocket() throws IOException {
        return identifying(sockets.createSocket());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
            throws IOException {
        return identifying(sockets.createSocket(socket, host, port, autoClose));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return identifying(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort)
            throws IOException {
        return identifying(sockets.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return identifying(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
            throws IOException {
        return identifying(sockets.createSocket(host, port, local, localPort));
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }
}
