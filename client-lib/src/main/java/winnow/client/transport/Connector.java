package winnow.client.transport;

import io.netty.channel.ChannelFactory;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;

/// Reaches a broker: resolves its name and tries all its addresses in turn, until one answers as a
/// broker. Each may take its share of the time that is left. Used by one thread.
final class Connector {
    private static final int DEFAULT_PORT = 61616;

    private final ConnectionTarget target;
    private final ConnectionEvents events;
    private final HostAddresses names;
    private final ChannelFactory<DirectSocket> sockets;

    Connector(ConnectionTarget target, ConnectionEvents events) {
        this(target, events, HostAddresses.SYSTEM, DirectSocket::new);
    }

    /// With another way to resolve names and to make sockets.
    Connector(
            ConnectionTarget target,
            ConnectionEvents events,
            HostAddresses names,
            ChannelFactory<DirectSocket> sockets) {
        this.target = target;
        this.events = events;
        this.names = names;
        this.sockets = sockets;
    }

    /// Connects.
    ///
    /// @throws TransportException if no address answers as a broker in time, if the broker refuses,
    ///   or if the thread is interrupted; no socket stays open then
    WireConnection connect() throws TransportException {
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(target.limits().connectTimeoutMillis());
        long deadline = System.nanoTime() + timeoutNanos;
        requireHelloFits();
        List<InetAddress> addresses;
        try {
            addresses = names.of(target.host(), timeoutNanos);
        } catch (TransportException e) {
            throw located(e);
        }
        List<TransportException> failures = new ArrayList<>();
        for (InetAddress address : addresses) {
            int left = addresses.size() - failures.size();
            long share = Math.max(1, (deadline - System.nanoTime()) / left);
            try {
                return new ConnectAttempt(target, events, sockets)
                        .run(new InetSocketAddress(address, target.port()), share);
            } catch (TransportException e) {
                if (e.local() == null) {
                    throw e;
                }
                if (e.local() == LocalFailure.INTERRUPTED) {
                    throw located(e);
                }
                failures.add(e);
            }
        }
        throw unreachable(addresses, failures);
    }

    private void requireHelloFits() throws TransportException {
        WireWriter hello = new WireWriter(256);
        new LoginExchange(target.login()).hello().write(hello);
        int bytes = hello.size() - Protocol.LENGTH_BYTES;
        if (bytes > Protocol.MAX_HANDSHAKE_FRAME_BYTES) {
            throw located(
                    new TransportException(
                            LocalFailure.CONNECT_FAILED,
                            "client identifier, user name and password are too long: %d of %d bytes"
                                    .formatted(bytes, Protocol.MAX_HANDSHAKE_FRAME_BYTES)));
        }
    }

    private TransportException located(TransportException failure) {
        String text = "cannot connect to %s: %s".formatted(target.peer(), failure.getMessage());
        return failure.local() == null
                ? new TransportException(failure.code(), text)
                : new TransportException(failure.local(), text, failure.getCause());
    }

    /// All failures in one: a single one with its cause, several by their texts.
    private TransportException unreachable(
            List<InetAddress> addresses, List<TransportException> failures) {
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < failures.size(); i++) {
            TransportException failure = failures.get(i);
            String address = NetUtil.toAddressString(addresses.get(i));
            String prefix = address.equals(target.host()) ? "" : address + ": ";
            reasons.add(prefix + failure.getMessage());
        }
        String text = String.join("; ", reasons);
        if (target.port() != DEFAULT_PORT) {
            text += "; the messaging port is " + DEFAULT_PORT + " by default";
        }
        LocalFailure first = failures.get(0).local();
        boolean alike = failures.stream().allMatch(failure -> failure.local() == first);
        LocalFailure local = first != null && alike ? first : LocalFailure.CONNECT_FAILED;
        Throwable cause = failures.size() == 1 ? failures.get(0).getCause() : null;
        return located(new TransportException(local, text, cause));
    }
}
