package winnow.broker.storage;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;
import winnow.broker.memory.OwnerShares;
import winnow.broker.shard.Shard;
import winnow.wire.Protocol;

/// Heap of what is on its way from the shard to the sockets of all connections, with a share for
/// each user or address. A message or part for which there is no room is not delivered, and no part
/// is read; its connection waits until others have taken theirs. Thread-safe, but for the
/// connections that wait.
public final class FlightMemory {
    private static final int HEAP_PART = 8;

    /// Connections without room that are looked at together, before other work has its turn; about
    /// 100 ns each.
    private static final int MISSED_TOGETHER = 64;

    private final OwnerShares shares;

    /// In the order in which they began to wait, or were looked at last. Owned by the shard's
    /// thread.
    private final SequencedSet<Flight> waiting = new LinkedHashSet<>();

    /// Connections that have not been looked at since there is more room. Owned by the shard's
    /// thread.
    private int unseen;

    /// True if they will be looked at in a later turn. Owned by the shard's thread.
    private boolean goesOn;

    private volatile boolean someWait;

    /// @param heap of all connections together
    public FlightMemory(HeapPart heap) {
        this.shares = new OwnerShares(heap);
    }

    /// An eighth of the largest heap, or room for two messages of the greatest length, if that is
    /// more.
    public static FlightMemory of(BrokerHeap heap, int maxFrameBytes) {
        long twoMessages = 2L * Math.max(maxFrameBytes, Protocol.MAX_PART_BYTES);
        long part = Runtime.getRuntime().maxMemory() / HEAP_PART;
        return new FlightMemory(
                heap.part("deliveries to sockets", Math.max(part, twoMessages), twoMessages / 2));
    }

    OwnerShares shares() {
        return shares;
    }

    /// Bytes on their way, but for a few KiB of each connection.
    public long usedBytes() {
        return shares.usedBytes();
    }

    /// A connection needs more than there is. Shard's thread only.
    void await(Flight flight) {
        waiting.add(flight);
        someWait = true;
    }

    /// There is more room.
    ///
    /// @return whether [#resume] is to be called on the shard's thread
    boolean onGivenBack() {
        if (!someWait) {
            // Not written: a connection may begin to wait just now, and would not be told.
            return false;
        }
        someWait = false;
        return true;
    }

    /// Lets those go on for which there is room, in slices where many find none. Shard's thread
    /// only.
    void resume(Shard shard) {
        // Before they are looked at: room that comes meanwhile is told again.
        someWait = !waiting.isEmpty();
        unseen = waiting.size();
        if (!goesOn) {
            resumeSome(shard);
        }
    }

    private void resumeSome(Shard shard) {
        goesOn = false;
        int missed = 0;
        for (; unseen > 0 && missed < MISSED_TOGETHER && !waiting.isEmpty(); unseen--) {
            Flight flight = waiting.removeFirst();
            if (flight.finds()) {
                flight.retry(shard);
            } else {
                waiting.addLast(flight);
                missed++;
            }
        }
        if (missed == MISSED_TOGETHER && unseen > 0 && !goesOn) {
            goesOn = true;
            shard.executor().execute(() -> resumeSome(shard));
        }
    }

    /// Has those looked at that wait: other budgets may have given back what they had of the heap.
    /// To be called now and then, by any thread.
    public void look(Storage storage) {
        if (someWait) {
            storage.execute(this::resume);
        }
    }

    /// A connection does not wait any more. Shard's thread only.
    void forget(Flight flight) {
        waiting.remove(flight);
    }
}
