package winnow.client.transport.connect;

import io.netty.channel.ChannelFactory;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.DirectSocket;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;

/// One round of attempts to reach a broker: resolves the name of each host and tries all its
/// addresses in turn, until one answers as a broker. Each host has the time for connecting to
/// itself, or, while there are others and rounds to come, what [#FIRST_MILLIS] has become; of that,
/// each address may take its share of what is left. Used by one thread.
final class Connector {
    /// Longest wait for one host of several in the first round, twice as long in each that follows:
    /// of a machine that is gone and a broker that stands still nothing is heard, while another one
    /// may have taken over.
    private static final long FIRST_MILLIS = 1000;

    /// Doublings that are enough for every time for connecting.
    private static final int MAX_DOUBLINGS = 31;

    private final ConnectionTarget target;
    private final ConnectionEvents events;
    private final HostAddresses names;
    private final ChannelFactory<DirectSocket> sockets;
    private final Random random = new Random();

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

    /// Tries all hosts once.
    ///
    /// @param before rounds that there were
    /// @param spentNanos that they took
    /// @param failures takes the attempts that fail
    /// @return null if none answers as a broker that takes connections
    /// @throws TransportException if a broker refuses for a reason that does not pass by itself, or
    ///   if the thread is interrupted; no socket stays open then
    @Nullable WireConnection connect(int before, long spentNanos, List<FailedAttempt> failures)
            throws TransportException {
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis(before, spentNanos));
        for (BrokerHost host : inOrder(target.hosts())) {
            WireConnection connection = connect(host, timeoutNanos, failures);
            if (connection != null) {
                return connection;
            }
        }
        return null;
    }

    /// The whole time in a round after which there is no other, if hosts say nothing.
    private long timeoutMillis(int before, long spentNanos) {
        long whole = target.limits().connectTimeoutMillis();
        int hosts = target.hosts().size();
        long some = Math.min(whole, FIRST_MILLIS << Math.min(before, MAX_DOUBLINGS));
        long after = spentNanos + TimeUnit.MILLISECONDS.toNanos(hosts * some);
        boolean last = !target.retry().rounds().allowsAnother(before + 1, after);
        return hosts == 1 || last ? whole : some;
    }

    private @Nullable WireConnection connect(
            BrokerHost host, long timeoutNanos, List<FailedAttempt> failures)
            throws TransportException {
        long deadline = System.nanoTime() + timeoutNanos;
        List<InetAddress> addresses;
        try {
            addresses = inOrder(names.of(host.name(), timeoutNanos));
        } catch (TransportException e) {
            failures.add(passed(new FailedAttempt(host, "", e)));
            return null;
        }
        int left = addresses.size();
        for (InetAddress address : addresses) {
            long share = Math.max(1, (deadline - System.nanoTime()) / left--);
            try {
                return new ConnectAttempt(target.ready(), host, events, sockets)
                        .run(address, share);
            } catch (TransportException e) {
                String text = NetUtil.toAddressString(address);
                String shown = text.equals(host.name()) ? "" : text;
                failures.add(passed(new FailedAttempt(host, shown, e)));
            }
        }
        return null;
    }

    /// Another address may have a valid certificate, or a broker where this one has another kind of
    /// server. What a broker says of the login holds for all of them, and is not asked twice: some
    /// lock a user who fails too often. Another token may follow one that has ended.
    private FailedAttempt passed(FailedAttempt attempt) throws TransportException {
        TransportException reason = attempt.reason();
        boolean passing =
                attempt.isPassing(target.retry().returning(), target.login().usesToken(), 0);
        boolean refused = reason.local() == null && !passing;
        if (refused || reason.local() == LocalFailure.INTERRUPTED) {
            throw reason;
        }
        return attempt;
    }

    private <T> List<T> inOrder(List<T> given) {
        if (!target.retry().randomize()) {
            return given;
        }
        List<T> shuffled = new ArrayList<>(given);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
