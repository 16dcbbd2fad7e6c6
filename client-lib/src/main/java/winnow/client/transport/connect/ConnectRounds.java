package winnow.client.transport.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.transport.ClientTls;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.LoginExchange;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.Login;
import winnow.client.transport.endpoint.TlsOptions;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;

/// Reaches one of the brokers of a target: makes rounds of attempts to connect to all its hosts,
/// with pauses between them, until one answers, until a reason comes up that does not pass by
/// itself, or until there were as many as [winnow.client.transport.endpoint.RetryTerms] allow.
/// Keeps no more than the failures of one round. Used by one thread.
public final class ConnectRounds {
    private static final Logger LOG = ClientLog.of(ConnectRounds.class);

    private final ConnectionTarget target;
    private final Connector connector;
    private final RoundClock clock;
    private final Random random;

    /// Rounds so far. Written by the thread that connects.
    private volatile FailedRounds failed;

    /// @param events what the connection tells once there is one
    public ConnectRounds(ConnectionTarget target, ConnectionEvents events) {
        this(target, new Connector(target, events), RoundClock.SYSTEM, new Random());
    }

    /// With another clock, and other lengths of pauses.
    ConnectRounds(ConnectionTarget target, Connector connector, RoundClock clock, Random random) {
        this.target = target;
        this.connector = connector;
        this.clock = clock;
        this.random = random;
        failed = new FailedRounds(target, 0, 0, List.of());
    }

    /// Connects.
    ///
    /// @throws TransportException if no broker answers, one refuses, or the thread is interrupted;
    ///   no socket stays open then
    public WireConnection connect() throws TransportException {
        long begin = clock.nanoTime();
        try {
            requireUsable();
            while (failed.mayBeRepeated()) {
                if (failed.rounds() > 0) {
                    warn(failed);
                    pause(failed.rounds(), clock.nanoTime() - begin);
                }
                List<FailedAttempt> failures = new ArrayList<>();
                long spent = clock.nanoTime() - begin;
                WireConnection connection = connector.connect(failed.rounds(), spent, failures);
                if (connection != null) {
                    tellReached(connection, failed);
                    return connection;
                }
                long nanos = clock.nanoTime() - begin;
                failed = new FailedRounds(target, failed.rounds() + 1, nanos, failures);
            }
        } catch (TransportException e) {
            // A broker that refuses is named by its refusal.
            throw e.local() == null ? e : failed.endedBy(e);
        }
        throw failed.failure();
    }

    /// Rounds so far and the reasons of the last one, for people; empty before the first has
    /// failed. Any thread.
    public String tried() {
        FailedRounds known = failed;
        return known.rounds() == 0 ? "" : known.text();
    }

    /// Finds out before the first attempt that none can succeed.
    private void requireUsable() throws TransportException {
        // A client that comes back tries again until the file of its token is there.
        if (!target.login().usesToken() || !target.retry().returning()) {
            requireFitting(target.login().ready());
        }
        TlsOptions tls = target.tls();
        if (tls != null) {
            ClientTls.of(tls);
        }
    }

    private static void requireFitting(Login login) throws TransportException {
        WireWriter hello = new WireWriter(256);
        new LoginExchange(login).longestHello().write(hello);
        int bytes = hello.size() - Protocol.LENGTH_BYTES;
        if (bytes > Protocol.MAX_HANDSHAKE_FRAME_BYTES) {
            throw new TransportException(
                    LocalFailure.CONNECT_FAILED,
                    "client identifier%s are too long: %d of %d bytes"
                            .formatted(
                                    login.usesToken() ? " and token" : ", user name and password",
                                    bytes,
                                    Protocol.MAX_HANDSHAKE_FRAME_BYTES));
        }
    }

    private void warn(FailedRounds before) {
        if (before.rounds() == target.retry().warnAfter()) {
            LOG.warn("{}; more follow", before.text());
        }
    }

    private void tellReached(WireConnection connection, FailedRounds before) {
        int warnAfter = target.retry().warnAfter();
        if (warnAfter > 0 && before.rounds() >= warnAfter) {
            LOG.info("connected to {} in round {}", connection.peer(), before.rounds() + 1);
        }
    }

    private void pause(int rounds, long spentNanos) throws TransportException {
        try {
            long chosen = (long) (random.nextDouble() * target.retry().longestPauseNanos(rounds));
            clock.pause(target.retry().rounds().shortened(chosen, spentNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    LocalFailure.INTERRUPTED, "interrupted while waiting to try again");
        }
    }
}
