package winnow.broker.storage;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// A queue, or a topic with stored subscriptions, by its name; what it stands for is looked up on
/// the shard's thread, and made there if it is not there.
public final class StoredReference {
    private final DestinationKind kind;
    private final String name;
    private final BiConsumer<Shard, StoredDestination> onFound;

    /// Owned by the shard's thread.
    private @Nullable StoredDestination found;

    public StoredReference(DestinationKind kind, String name) {
        this(kind, name, (shard, destination) -> {});
    }

    /// @param onFound called on the shard's thread when it has been found or made
    public StoredReference(
            DestinationKind kind, String name, BiConsumer<Shard, StoredDestination> onFound) {
        this.kind = kind;
        this.name = name;
        this.onFound = onFound;
    }

    /// What it stands for now. Shard's thread only.
    ///
    /// @return null if it is a temporary queue that does not exist any more
    public @Nullable StoredDestination in(Shard shard) {
        StoredDestination known = found;
        if (known == null || known.removed()) {
            known = find(shard);
            found = known;
            if (known != null) {
                onFound.accept(shard, known);
            }
        }
        return known;
    }

    private @Nullable StoredDestination find(Shard shard) {
        if (kind == DestinationKind.TOPIC) {
            return shard.topic(name);
        }
        return name.startsWith(Protocol.TEMPORARY_PREFIX)
                ? shard.catalog().findQueue(name).orElse(null)
                : shard.queue(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
