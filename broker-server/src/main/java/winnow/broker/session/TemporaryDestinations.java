package winnow.broker.session;

import java.util.LinkedHashMap;
import java.util.Map;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.DeleteTemporary;

/// The temporary destinations of one connection, which end with it. Owned by the connection's event
/// loop.
final class TemporaryDestinations {
    /// A queue takes the most; the name is in several maps.
    private static final long HEAP_BYTES = 2048;

    private final SessionContext context;
    private final MetadataAccount account;
    private final StorageCommands commands;

    /// Each with the account that is charged for it: one that lives on from an earlier connection
    /// of the client is charged to that one's.
    private final Map<Made, MetadataAccount> made = new LinkedHashMap<>();

    private long connectionId;

    private record Made(DestinationKind kind, String name) {
        long heapBytes() {
            return HEAP_BYTES + 2L * name.length();
        }
    }

    TemporaryDestinations(
            SessionContext context, MetadataAccount account, StorageCommands commands) {
        this.context = context;
        this.account = account;
        this.commands = commands;
    }

    void identify(long newConnectionId) {
        connectionId = newConnectionId;
    }

    /// The temporary destinations of a connection that has gone, as long as its client may come
    /// back.
    static final class Kept {
        private final SessionContext context;
        private final Map<Made, MetadataAccount> made;

        private Kept(SessionContext context, Map<Made, MetadataAccount> made) {
            this.context = context;
            this.made = made;
        }

        /// The client does not come back. Any thread.
        void end() {
            made.forEach((one, charged) -> {
                context.destinations().temporaries().remove(one.kind, one.name);
                charged.giveBack(one.heapBytes());
                if (one.kind == DestinationKind.QUEUE) {
                    context.storage().execute(shard -> remove(shard, one.name));
                }
            });
        }
    }

    /// Takes those of the client's earlier connection, which had the same number.
    void adopt(Kept kept) {
        made.putAll(kept.made);
    }

    /// The connection has gone; its consumers have ended before.
    Kept leave() {
        Kept kept = new Kept(context, new LinkedHashMap<>(made));
        made.clear();
        return kept;
    }

    boolean isEmpty() {
        return made.isEmpty();
    }

    void onCreate(CreateTemporary request) {
        DestinationRegistry registry = context.destinations();
        String name = request.name();
        registry.check(name);
        Made making = new Made(request.kind(), name);
        MetadataAccount charged = made.get(making);
        if (charged != null && !charged.equals(account)) {
            // The answer to the earlier connection was lost.
            accept(request);
            return;
        }
        if (made.size() >= context.config().maxHandles()) {
            throw ConnectionLimit.exceeded(
                    "temporary destinations",
                    "session.max-handles",
                    context.config().maxHandles(),
                    made.size() + 1L);
        }
        account.charge(making.heapBytes());
        try {
            registry.temporaries().create(request.kind(), name, connectionId);
        } catch (RefusedException e) {
            account.giveBack(making.heapBytes());
            throw e;
        }
        made.put(making, account);
        accept(request);
    }

    private void accept(CreateTemporary request) {
        if (request.kind() == DestinationKind.TOPIC) {
            commands.accept(request.requestId());
        } else {
            commands.execute(shard -> {
                if (shard.catalog().findQueue(request.name()).isEmpty()) {
                    shard.temporaryQueue(request.name());
                }
                commands.reply(() -> commands.accept(request.requestId()));
            });
        }
    }

    void onDelete(DeleteTemporary request) {
        Made deleted = new Made(request.kind(), request.name());
        if (!made.containsKey(deleted)) {
            throw new RefusedException(
                    ErrorCode.INVALID_DESTINATION,
                    "'" + request.name() + "' is no temporary destination of this connection");
        }
        if (request.kind() == DestinationKind.TOPIC) {
            boolean used =
                    context.destinations()
                            .find(request.name())
                            .map(Topic::subscriptionCount)
                            .filter(count -> count > 0)
                            .isPresent();
            if (used) {
                throw inUse(request);
            }
            forget(deleted);
            commands.accept(request.requestId());
        } else {
            int bytes = 2 * request.name().length();
            commands.execute(bytes, shard -> delete(shard, request, deleted));
        }
    }

    private void delete(Shard shard, DeleteTemporary request, Made deleted) {
        boolean used =
                shard.catalog()
                        .findQueue(request.name())
                        .filter(queue -> queue.queue().consumers() > 0)
                        .isPresent();
        if (used) {
            commands.reply(() -> commands.refuse(request.requestId(), inUse(request)));
            return;
        }
        remove(shard, request.name());
        commands.reply(() -> {
            forget(deleted);
            commands.accept(request.requestId());
        });
    }

    private static RefusedException inUse(DeleteTemporary request) {
        return new RefusedException(
                ErrorCode.DESTINATION_IN_USE,
                "the temporary destination '" + request.name() + "' has a consumer");
    }

    private void forget(Made deleted) {
        MetadataAccount charged = made.remove(deleted);
        if (charged != null) {
            charged.giveBack(deleted.heapBytes());
        }
        context.destinations().temporaries().remove(deleted.kind, deleted.name);
    }

    private static void remove(Shard shard, String name) {
        shard.catalog()
                .findQueue(name)
                .filter(StoredDestination::temporary)
                .ifPresent(queue -> shard.remove(queue, Outcome.IGNORED));
    }
}
