package winnow.broker.shard;

import java.util.Arrays;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// The subscriptions with a selector that a message is for, as was decided before it was stored.
/// Immutable.
public final class Recipients {
    private static final int OBJECT_BYTES = 16;

    /// None of them.
    public static final Recipients NONE = new Recipients(new int[0]);

    private final int[] ids;

    private Recipients(int[] ids) {
        this.ids = ids;
    }

    /// @param ids of the subscriptions, in any order, each once
    public static Recipients of(int... ids) {
        if (ids.length == 0) {
            return NONE;
        }
        int[] sorted = ids.clone();
        Arrays.sort(sorted);
        return new Recipients(sorted);
    }

    /// Heap that it takes.
    public long heapBytes() {
        return ids.length == 0
                ? 0
                : OBJECT_BYTES + HeapCost.array((long) Integer.BYTES * ids.length);
    }

    boolean contains(int subscriptionId) {
        return Arrays.binarySearch(ids, subscriptionId) >= 0;
    }

    /// Writes the number of ids, then the differences of the ascending ids.
    void write(WireWriter out) {
        out.writeVarint(ids.length);
        int before = 0;
        for (int id : ids) {
            out.writeVarint(id - before);
            before = id;
        }
    }

    static Recipients read(WireReader in) {
        int[] ids = new int[in.readLength()];
        int id = 0;
        for (int i = 0; i < ids.length; i++) {
            id += in.readVarint();
            ids[i] = id;
        }
        return ids.length == 0 ? NONE : new Recipients(ids);
    }
}
