package winnow.broker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.SessionContext;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.ErrorCode;

/// Clients of a broker that stops: they take what waits, and go. Used by one thread.
final class ClientDeparture {
    private static final Logger LOG = LoggerFactory.getLogger(ClientDeparture.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long DISCONNECT_SECONDS = 2;

    private final SessionContext context;

    ClientDeparture(SessionContext context) {
        this.context = context;
    }

    /// Gives producers no more credit, and waits until consumers have taken what waits.
    void drain(Duration timeout) {
        for (ClientConnection connection : context.connections().open()) {
            connection.loop().execute(connection::drain);
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        BacklogMemory memory = context.backlogMemory();
        while ((memory.usedBytes() > 0 || context.connections().areRouting())
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        long left = memory.usedBytes() + memory.spilledBytes();
        if (left > 0) {
            LOG.warn("Stopping while {} bytes wait for consumers (transport.drain-timeout)", left);
        }
    }

    /// Waits until what the storage has committed meanwhile is delivered and answered.
    void awaitCommits(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (context.connections().areCommitting() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /// Says goodbye to all, and waits until they have gone.
    void end(ErrorCode code, String why) {
        for (ClientConnection connection : context.connections().open()) {
            connection.loop().execute(() -> connection.goodbye(code, why));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DISCONNECT_SECONDS);
        while (context.counters().connections.get() > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
