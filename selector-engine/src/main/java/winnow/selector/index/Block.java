package winnow.selector.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import winnow.selector.slot.SlotValues;

/// Up to 1,024 nodes of one cluster, side by side: for each of the slots that they ask most, and
/// for each class of its values ([Buckets]), a bitmap of the nodes that may match. A message ANDs
/// the bitmaps of its classes and looks only at the nodes that are left.
///
/// One writer, many readers. A node's bit in `live` is set after everything else of it is there,
/// and a reader takes that bitmap first; so it may meet a node before or after a change, never
/// half.
final class Block {

    /// 16 words: a bitmap is two cache lines.
    static final int MAX_ROWS = 1024;

    private static final int MIN_ROWS = 64;

    /// Each takes 4 bytes per node.
    private static final int MAX_COLUMNS = 12;

    /// A slot that so few of the nodes ask is no column.
    private static final int MIN_SHARE = 16;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private final Term key;
    private final int words;
    private final AtomicReferenceArray<Node<?>> nodes;
    private final long[] live;

    /// Of the columns, those that reject most first.
    private final int[] slots;

    private final Buckets[] buckets;

    /// By column, class and word.
    private final long[] bits;

    private int size;

    /// @param key that leads to the nodes
    /// @param members not more than [#MAX_ROWS]; they get the rows in their order
    Block(Term key, List<? extends Node<?>> members) {
        this.key = key;
        int rows = MIN_ROWS;
        while (rows < MAX_ROWS && rows < members.size() * 5 / 4) {
            rows *= 2;
        }
        words = rows / Long.SIZE;
        nodes = new AtomicReferenceArray<>(rows);
        live = new long[words];
        List<Column> columns = columns(members);
        slots = columns.stream().mapToInt(column -> column.slot).toArray();
        buckets = columns.stream().map(column -> column.buckets).toArray(Buckets[]::new);
        bits = new long[columns.size() * Buckets.COUNT * words];
        for (Node<?> member : members) {
            add(member);
        }
    }

    private static final class Column {
        final int slot;
        final Buckets buckets;
        int users;

        Column(SlotProbe probe) {
            slot = probe.slot();
            buckets = probe.buckets();
        }
    }

    private List<Column> columns(List<? extends Node<?>> members) {
        Map<Integer, Column> all = new HashMap<>();
        for (Node<?> member : members) {
            member.formula()
                    .forEachTerm(term ->
                            all.computeIfAbsent(term.probe.slot(), _ -> new Column(term.probe)));
        }
        List<Column> useful = new ArrayList<>();
        for (Column column : all.values()) {
            int first = asked(members.getFirst()).mask(column.slot, column.buckets);
            boolean different = false;
            for (Node<?> member : members) {
                int mask = asked(member).mask(column.slot, column.buckets);
                different |= mask != first;
                column.users += mask == Buckets.ALL ? 0 : 1;
            }
            if (different && column.users * MIN_SHARE >= members.size()) {
                useful.add(column);
            }
        }
        useful.sort(
                Comparator.comparingInt((Column column) -> -column.users)
                        .thenComparingInt(column -> column.slot));
        return useful.subList(0, Math.min(MAX_COLUMNS, useful.size()));
    }

    /// What a message for which the key is true has to fulfil, unless another key leads to the
    /// node.
    private Formula asked(Node<?> node) {
        return node.formula().part(key);
    }

    int size() {
        return size;
    }

    int rows() {
        return nodes.length();
    }

    boolean isFull() {
        return size == nodes.length();
    }

    boolean isLive(int row) {
        return (live[row / Long.SIZE] >>> row & 1) != 0;
    }

    Node<?> node(int row) {
        return nodes.getPlain(row);
    }

    /// Adds a node, for which there must be room.
    ///
    /// @return its row
    int add(Node<?> node) {
        int word = 0;
        while (live[word] == -1L) {
            word++;
        }
        long bit = Long.lowestOneBit(~live[word]);
        int row = word * Long.SIZE + Long.numberOfTrailingZeros(bit);
        Formula asked = asked(node);
        for (int column = 0; column < slots.length; column++) {
            int mask = asked.mask(slots[column], buckets[column]);
            int at = column * Buckets.COUNT * words + word;
            for (int bucket = 0; bucket < Buckets.COUNT; bucket++, at += words) {
                bits[at] = (mask >>> bucket & 1) == 0 ? bits[at] & ~bit : bits[at] | bit;
            }
        }
        nodes.setRelease(row, node);
        WORDS.setRelease(live, word, live[word] | bit);
        size++;
        return row;
    }

    void remove(int row) {
        int word = row / Long.SIZE;
        WORDS.setRelease(live, word, live[word] & ~(1L << row));
        size--;
    }

    /// Those that are there, by their rows.
    List<Node<?>> members() {
        List<Node<?>> members = new ArrayList<>(size);
        for (int word = 0; word < words; word++) {
            for (long rows = live[word]; rows != 0; rows &= rows - 1) {
                members.add(node(word * Long.SIZE + Long.numberOfTrailingZeros(rows)));
            }
        }
        return members;
    }

    /// Looks at the nodes that may match. Any thread.
    ///
    /// @param left scratch space for a bitmap
    void match(SlotValues values, Matching matching, long[] left) {
        if (anyLeft(values, matching, left)) {
            lookAt(matching, left);
        }
    }

    private boolean anyLeft(SlotValues values, Matching matching, long[] left) {
        long any = 0;
        for (int word = 0; word < words; word++) {
            long rows = (long) WORDS.getAcquire(live, word);
            left[word] = rows;
            any |= rows;
        }
        for (int column = 0; any != 0 && column < slots.length; column++) {
            int bucket = matching.bucket(values, slots[column], buckets[column]);
            any = and(left, (column * Buckets.COUNT + bucket) * words);
        }
        return any != 0;
    }

    private long and(long[] left, int at) {
        long any = 0;
        for (int word = 0; word < words; word++) {
            long rows = left[word] & bits[at + word];
            left[word] = rows;
            any |= rows;
        }
        return any;
    }

    private void lookAt(Matching matching, long[] left) {
        int read = 0;
        for (int word = 0; word < words; word++) {
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                int row = word * Long.SIZE + Long.numberOfTrailingZeros(rows);
                read += nodes.getAcquire(row).hash;
            }
        }
        matching.readAhead(read);
        for (int word = 0; word < words; word++) {
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                int row = word * Long.SIZE + Long.numberOfTrailingZeros(rows);
                matching.node(nodes.getAcquire(row));
            }
        }
    }
}
