package winnow.broker.shard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.HeapPart;
import winnow.broker.memory.OwnerShares;
import winnow.store.RowOwner;

/// Memory for all messages of a shard whose log is on the heap; any other has no limit here. A
/// destination may have all but an eighth of what others leave, and so may who has sent them: a
/// user, or the address of a client without one. The first few KiB of each find room whatever
/// others have. Owned by the shard.
public final class StoreMemory {
    private static final int RESERVED = 8;

    /// Owners up to which those without messages are not looked for.
    private static final int FEW_OWNERS = 64;

    private final MessageWindow window;
    private LongSupplier logBytes = () -> 0;
    private boolean limited;
    private HeapPart heap = HeapPart.alone(Long.MAX_VALUE / RESERVED);
    private OwnerShares shares = new OwnerShares(heap);

    /// Of rows that no message has, and of messages whose sender is not known.
    private final MessageOwner nobody = new MessageOwner("", this);

    /// By their names: those that have messages, and some that had.
    private final Map<String, MessageOwner> owners = new HashMap<>();

    /// Bytes of rows, those of nobody included as of the last look at the log.
    long rowBytes;

    private int manyOwners = FEW_OWNERS;
    private @Nullable MessageOwner lastOwner;

    /// Consumers that take no message before there is room again.
    private final Set<StoredConsumer> waiting = new LinkedHashSet<>();

    StoreMemory(MessageWindow window) {
        this.window = window;
    }

    /// The log is on the heap.
    ///
    /// @param newLogBytes what it takes
    public void limit(LongSupplier newLogBytes, HeapPart newHeap) {
        logBytes = newLogBytes;
        heap = newHeap;
        shares = new OwnerShares(heap);
        limited = true;
    }

    /// True if messages in memory take more than they may.
    public boolean windowIsFull() {
        return window.isFull();
    }

    /// Shares of the heap that rows take.
    OwnerShares shares() {
        return shares;
    }

    /// The owner of a message, null if its sender is not known.
    ///
    /// @param name of a user or address, empty if it is not known
    @Nullable MessageOwner owner(String name) {
        MessageOwner last = lastOwner;
        if (name.isEmpty() || (last != null && last.name().equals(name))) {
            return name.isEmpty() ? null : last;
        }
        MessageOwner found = owners.computeIfAbsent(name, _ -> new MessageOwner(name, this));
        lastOwner = found;
        return found;
    }

    /// The one whose memory the rows of a message take, null if that is not counted.
    @Nullable RowOwner ofRows(@Nullable MessageOwner owner) {
        return limited ? owner : null;
    }

    /// Forgets owners without messages, when there are many. To be called when no rows of theirs
    /// are on their way to the log.
    void forgetOwners() {
        if (owners.size() > manyOwners) {
            lastOwner = null;
            owners.values().removeIf(owner -> owner.bytes() == 0);
            manyOwners = Math.max(FEW_OWNERS, 2 * owners.size());
        }
    }

    /// Reason why nothing more of an owner can be kept, null if something can.
    ///
    /// @param owner name of a user or address, empty if it is not known
    public @Nullable String full(String owner) {
        if (!limited) {
            return null;
        }
        long used = usedBytes();
        MessageOwner its = owner(owner);
        if (its == null) {
            return used <= limitBytes() ? null : describe(used) + hint();
        }
        if (leavesSome(its.bytes(), leftBytes(used)) || isNew(its)) {
            return null;
        }
        return describe(used)
                + ", of which those of the same user or address, "
                + its.bytes()
                + " bytes, may take all but an eighth of what others leave"
                + hint();
    }

    private static boolean leavesSome(long bytes, long leftBytes) {
        return leftBytes >= 0 && bytes <= (RESERVED - 1) * leftBytes;
    }

    /// True if it has only what everybody may have first.
    private boolean isNew(MessageOwner owner) {
        return owner.bytes() < shares.first(owner.name());
    }

    /// Reason why a destination can have no more of an owner, null if it can.
    ///
    /// @param owner as above
    @Nullable String fullOf(StoredDestination destination, String owner) {
        String full = full(owner);
        if (!limited || full != null) {
            return full;
        }
        long its = 0;
        for (StoredSubscription one : destination.subscriptions()) {
            its = Math.max(its, one.bytes() + one.messages() * HeapCost.MESSAGE);
        }
        long used = usedBytes();
        MessageOwner sender = owner(owner);
        long left = sender == null ? limitBytes() - used : leftBytes(used);
        return (left > 0 && leavesSome(its, left)) || (sender != null && isNew(sender))
                ? null
                : describe(used)
                        + ", of which "
                        + destination
                        + " has more than all but an eighth of what others leave"
                        + hint();
    }

    /// True if what a consumer receives, and becomes part of the memory again, has room. It is
    /// asked again when there is.
    public boolean hasRoom(StoredConsumer consumer) {
        boolean room = !isOver();
        if (!room) {
            waiting.add(consumer);
        }
        return room;
    }

    /// Lets those go on that waited, if there is room.
    void resume(Dispatcher dispatcher) {
        if (!isOver() && !waiting.isEmpty()) {
            waiting.forEach(consumer -> dispatcher.add(consumer.lane()));
            waiting.clear();
        }
    }

    private boolean isOver() {
        return limited && usedBytes() > limitBytes();
    }

    private long usedBytes() {
        long log = logBytes.getAsLong();
        nobody.onRows(log - rowBytes);
        return log + window.bytes();
    }

    /// Limit of log and window together now. The window counts its own part of the broker's heap.
    private long limitBytes() {
        return Math.min(heap.limitBytes(), heap.availableBytes() + window.bytes());
    }

    /// Bytes that those may have who have had what everybody may have first.
    private long leftBytes(long used) {
        return Math.min(heap.limitBytes(), heap.beyondFirstBytes() + window.bytes()) - used;
    }

    private String describe(long used) {
        return "messages are kept in memory and take "
                + used
                + " bytes; storage.memory is "
                + heap.limitBytes()
                + (limitBytes() < heap.limitBytes()
                        ? ", and the broker's heap has room for " + limitBytes() + " of them"
                        : "");
    }

    private static String hint() {
        return ": consume some, or give the broker a directory by --data";
    }
}
