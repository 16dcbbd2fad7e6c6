package winnow.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.ratis.protocol.RaftPeer;

/// A broker of a cluster, and where the others reach it.
///
/// @param name unique in the cluster
/// @param host name or address
/// @param port of the log between brokers
public record ClusterMember(String name, String host, int port) {
    private static final String NAME = "[A-Za-z0-9_.-]{1,64}";
    private static final int MAX_PORT = 65_535;

    /// Reads `a=host:61617,b=host:61617`, or `host:61617,…`, where hosts are the names.
    ///
    /// @throws IllegalArgumentException saying what was expected and found
    public static List<ClusterMember> parseAll(String text) {
        List<ClusterMember> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String one : text.split(",", -1)) {
            ClusterMember member = parse(one.strip());
            if (!names.add(member.name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "expected each node once, found '" + member.name + "' twice");
            }
            members.add(member);
        }
        return List.copyOf(members);
    }

    /// Reads `a=host:61617`, or `host:61617`, where the host is the name.
    ///
    /// @throws IllegalArgumentException saying what was expected and found
    public static ClusterMember parse(String text) {
        int equals = text.indexOf('=');
        String address = text.substring(equals + 1);
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? address : address.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String name = equals < 0 ? host : text.substring(0, equals);
        if (colon < 0 || host.isEmpty() || !name.matches(NAME)) {
            throw new IllegalArgumentException(
                    "expected nodes as HOST:PORT or NAME=HOST:PORT, found '" + text + "'");
        }
        return new ClusterMember(name, host, port(address.substring(colon + 1), text));
    }

    private static int port(String digits, String text) {
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "expected a port from 1 to 65535 behind the host, found '" + text + "'");
        }
        return port;
    }

    /// `host:port`, as others dial it.
    String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /// The same for the engine.
    RaftPeer peer() {
        return RaftPeer.newBuilder().setId(name).setAddress(address()).build();
    }

    /// Tells if it is reached without leaving the machine. Asks the name service.
    public boolean isLoopback() {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            // Another machine whose name is not known yet.
            return false;
        }
    }
}
