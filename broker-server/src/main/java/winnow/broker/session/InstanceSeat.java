package winnow.broker.session;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.InstanceKey;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.PublishedNumbers;
import winnow.broker.shard.Shard;
import winnow.store.LogException;
import winnow.wire.ErrorCode;
import winnow.wire.Resumption;

/// The place of one connection among the instances of clients, if its client can come back. Owned
/// by the connection's event loop.
final class InstanceSeat {
    /// Reasons of the broker to close a connection after which its client may come back.
    static final Set<ErrorCode> MAY_RETURN =
            EnumSet.of(
                    ErrorCode.HEARTBEAT_TIMEOUT,
                    ErrorCode.CREDENTIALS_EXPIRED,
                    ErrorCode.LIMIT_EXCEEDED,
                    ErrorCode.STORE_UNAVAILABLE,
                    ErrorCode.INTERNAL_ERROR);

    private final SessionContext context;
    private final ClientConnection connection;
    private @Nullable InstanceKey key;
    private int attempt;
    private long lastNumber;

    /// Of an earlier connection; null if there is nothing, or it was taken.
    private @Nullable AwayClient kept;

    InstanceSeat(SessionContext context, ClientConnection connection) {
        this.context = context;
        this.connection = connection;
    }

    private ClientInstances instances() {
        return context.connections().instances();
    }

    private ClientInstances.Terms terms() {
        SessionConfig config = context.config();
        return new ClientInstances.Terms(config.resumeTimeout().toNanos(), config.maxAway());
    }

    /// Takes the place of the client's earlier connection.
    ///
    /// @param user empty if clients need no credentials
    /// @param then told, when that one has ended, what was taken of what it published
    /// @return false if a later connection of the client has it
    boolean take(Resumption said, String user, Consumer<PublishedNumbers> then) {
        InstanceKey taken = InstanceKey.of(said.instance(), user);
        key = taken;
        attempt = said.attempt();
        lastNumber = said.lastNumber();
        boolean first =
                instances()
                        .arrive(
                                taken,
                                said.attempt(),
                                new ClientInstances.Arrival(
                                        connection, found -> onTaken(taken, found, then)));
        if (!first) {
            key = null;
        }
        return first;
    }

    private void onTaken(
            InstanceKey taken, @Nullable AwayClient found, Consumer<PublishedNumbers> then) {
        if (connection.closed()) {
            if (found != null) {
                instances().giveBack(taken, attempt, found, terms());
            }
            return;
        }
        kept = found;
        if (lastNumber == 0) {
            then.accept(PublishedNumbers.none());
        } else {
            String owner = connection.account().owner();
            context.storage()
                    .execute(
                            connection.loop(),
                            connection,
                            shard -> shard.sync(new Lookup(shard, taken, owner, then)));
        }
    }

    /// Asks for the numbers of an instance when all is durable that they say.
    private final class Lookup implements Outcome {
        private final Shard shard;
        private final InstanceKey taken;
        private final String owner;
        private final Consumer<PublishedNumbers> then;

        Lookup(Shard shard, InstanceKey taken, String owner, Consumer<PublishedNumbers> then) {
            this.shard = shard;
            this.taken = taken;
            this.owner = owner;
            this.then = then;
        }

        @Override
        public void onDone() {
            tell(shard.sentAgain().instances().find(taken, owner));
        }

        @Override
        public void onFailed(LogException failure) {
            tell(PublishedNumbers.forgotten());
        }

        private void tell(PublishedNumbers found) {
            context.storage()
                    .tell(
                            connection.loop(),
                            connection,
                            () -> {
                                if (!connection.closed()) {
                                    then.accept(found);
                                }
                            });
        }
    }

    /// True if the client can come back.
    boolean isTaken() {
        return key != null;
    }

    /// True if it finds anything then.
    boolean keeps() {
        return key != null && !context.config().resumeTimeout().isZero();
    }

    /// Remains of the earlier connection, null if nothing was kept.
    @Nullable AwayClient kept() {
        return kept;
    }

    /// The handshake is done: the connection gets what was kept, and goes on with the numbers of
    /// publishes.
    ///
    /// @param before what was taken of what the client published on earlier connections
    /// @param withTemporaries whether its user may have temporary destinations
    void restore(
            TemporaryDestinations temporaries,
            Producers producers,
            PublishedNumbers before,
            boolean withTemporaries) {
        AwayClient restored = kept;
        if (restored != null) {
            kept = null;
            if (withTemporaries) {
                temporaries.adopt(restored.temporaries());
            } else {
                restored.temporaries().end();
            }
            restored.release();
            context.counters().returned.increment();
        }
        InstanceKey taken = key;
        if (taken != null) {
            producers.confirmations().resume(taken, lastNumber, before);
        }
    }

    /// The connection has gone, and has asked the storage for all that it ever will.
    ///
    /// @param left for the next connection of the client, null for nothing
    /// @param orderly whether the client has said that it does not come back
    void leave(@Nullable AwayClient left, boolean orderly) {
        InstanceKey taken = key;
        if (taken == null) {
            return;
        }
        key = null;
        if (orderly) {
            context.storage().execute(shard -> shard.sentAgain().instances().end(shard, taken));
        }
        AwayClient untaken = kept;
        kept = null;
        if (orderly && untaken != null) {
            untaken.end();
            untaken = null;
        }
        instances().leave(taken, connection, untaken == null ? left : untaken, terms());
    }
}
