package winnow.loadgen.remote;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/// Address of a worker that listens. Immutable.
///
/// @param host a name or an address; an IPv6 address without brackets
public record WorkerAddress(String host, int port) {

    private static final Pattern FORM = Pattern.compile("(?:\\[([^]]+)]|([^:\\[\\]]+)):(\\d{1,5})");

    private static final int MOST_PORT = 65_535;

    /// @param text `HOST:PORT` or `[ADDRESS]:PORT`
    /// @throws IllegalArgumentException if it is not like that
    public static WorkerAddress of(String text) {
        var found = FORM.matcher(text.strip());
        if (found.matches() && Integer.parseInt(found.group(3)) <= MOST_PORT) {
            return new WorkerAddress(
                    found.group(1) == null ? found.group(2) : found.group(1),
                    Integer.parseInt(found.group(3)));
        }
        throw new IllegalArgumentException("expected HOST:PORT, found '" + text + "'");
    }

    /// True if the address is one of this machine's.
    boolean isHere() {
        try {
            var address = InetAddress.getByName(host);
            return address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException | SocketException unknown) {
            return false;
        }
    }

    /// With the address that the host's name stands for.
    ///
    /// @throws UnknownHostException if there is none
    InetSocketAddress resolved() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
