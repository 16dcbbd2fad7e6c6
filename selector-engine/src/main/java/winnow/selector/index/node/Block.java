package winnow.selector.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.Term;
import winnow.selector.slot.SlotValues;

/// Up to 1,024 nodes of one cluster, side by side: for each of the slots that they ask most, and
/// for each class of its values ([Buckets]), a bitmap of the nodes that may match. A message ANDs
/// the bitmaps of its classes and looks only at the nodes that are left.
///
/// One writer, many readers. A node's bit in `live` is set after everything else of it is there,
/// and a reader takes each word of that bitmap before the same word of others; so it may meet a
/// node before or after a change, never half.
public final class Block {

    /// 16 words: a bitmap is two cache lines.
    public static final int MAX_ROWS = 1024;

    static final int MIN_ROWS = 64;

    /// Each takes 4 bytes per node.
    static final int MAX_COLUMNS = 12;

    /// A slot that so few of the nodes ask is no column.
    private static final int MIN_SHARE = 16;

    /// Of so many slots, those that are asked most, the masks are looked at.
    private static final int MAX_CANDIDATES = 2 * MAX_COLUMNS;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CHANGES;

    static {
        try {
            CHANGES = MethodHandles.lookup().findVarHandle(Block.class, "changes", int.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private final Term key;
    private final int words;
    private final AtomicReferenceArray<@Nullable Node<?>> nodes;
    private final long[] live;

    /// Of the columns, those that most nodes ask first.
    private final int[] slots;

    private final Buckets[] buckets;

    /// By column, class and word.
    private final long[] bits;

    /// By row, what its node asks besides the key and what the bitmaps tell exactly: see
    /// [RowTests]. What does not fit is in [#longTests].
    private final int[] tests;

    /// Ints of a row.
    private final int stride;

    /// By row, null if it fits. Written before [#changes] says so.
    private final AtomicReferenceArray<int @Nullable []> longTests;

    private final RowWriter writer;

    /// Counts the beginnings and the ends of changes to rows. A reader that met another number
    /// after it read a row may have read a mixture.
    private int changes;

    private int size;

    /// Nodes that were added since the columns were chosen.
    private int added;

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
        writer = new RowWriter(key, slots, buckets);
        List<int[]> written = new ArrayList<>(members.size());
        for (Node<?> member : members) {
            written.add(writer.row(member, RowWriter.MAX_INTS));
        }
        stride = strideOf(written);
        tests = new int[rows * stride + RowTests.PADDING];
        longTests = new AtomicReferenceArray<>(rows);
        for (int i = 0; i < members.size(); i++) {
            add(members.get(i), written.get(i));
        }
        added = 0;
    }

    /// What nearly all rows fit in.
    private static int strideOf(List<int[]> written) {
        if (written.isEmpty()) {
            return RowWriter.MAX_INTS;
        }
        int[] lengths = written.stream().mapToInt(row -> row.length).sorted().toArray();
        int most = lengths[lengths.length * 15 / 16];
        return Math.min(RowWriter.MAX_INTS, (most + 3) / 4 * 4);
    }

    private static final class Column {
        final int slot;
        final Buckets buckets;
        int users;

        Column(SlotProbe probe) {
            slot = probe.slot();
            buckets = probe.buckets();
        }

        /// Whether enough of the nodes ask for it, and not all the same.
        boolean tells(List<Formula> asked) {
            int first = asked.getFirst().mask(slot, buckets);
            boolean different = false;
            int askedFor = 0;
            for (Formula one : asked) {
                int mask = one.mask(slot, buckets);
                different |= mask != first;
                askedFor += mask == Buckets.ALL ? 0 : 1;
            }
            return different && askedFor * MIN_SHARE >= asked.size();
        }
    }

    private List<Column> columns(List<? extends Node<?>> members) {
        List<Formula> asked = new ArrayList<>(members.size());
        Map<Integer, Column> all = new HashMap<>();
        for (Node<?> member : members) {
            Formula one = asked(member);
            asked.add(one);
            one.forEachTerm(term ->
                    all.computeIfAbsent(term.probe.slot(), _ -> new Column(term.probe)).users++);
        }
        return mostUsed(all.values(), MAX_CANDIDATES).stream()
                .filter(column -> column.tells(asked))
                .limit(MAX_COLUMNS)
                .toList();
    }

    private static List<Column> mostUsed(Collection<Column> columns, int limit) {
        return columns.stream()
                .sorted(
                        Comparator.comparingInt((Column column) -> -column.users)
                                .thenComparingInt(column -> column.slot))
                .limit(limit)
                .toList();
    }

    /// What a message for which the key is true has to fulfil, unless another key leads to the
    /// node; TRUE if that is too much to look at.
    private Formula asked(Node<?> node) {
        Formula formula = node.formula();
        return RowWriter.isSmall(formula) ? formula.part(key) : Formula.AllOf.ALWAYS;
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

    /// Whether so many nodes have come since the columns were chosen that others may tell more.
    boolean isStale() {
        return added >= 2 * nodes.length();
    }

    boolean isLive(int row) {
        return (live[row / Long.SIZE] >>> row & 1) != 0;
    }

    /// The node of a row that is live. Writer only.
    Node<?> node(int row) {
        return Objects.requireNonNull(nodes.getPlain(row));
    }

    /// Adds a node, for which there must be room.
    ///
    /// @return its row
    int add(Node<?> node) {
        return add(node, writer.row(node, RowWriter.MAX_INTS));
    }

    private int add(Node<?> node, int[] test) {
        int word = 0;
        while (live[word] == -1L) {
            word++;
        }
        long bit = Long.lowestOneBit(~live[word]);
        int row = rowOf(word, bit);
        Formula asked = asked(node);
        int before = changes;
        CHANGES.setOpaque(this, before + 1);
        VarHandle.releaseFence();
        for (int column = 0; column < slots.length; column++) {
            int mask = asked.mask(slots[column], buckets[column]);
            int at = column * Buckets.COUNT * words + word;
            for (int bucket = 0; bucket < Buckets.COUNT; bucket++, at += words) {
                bits[at] = (mask >>> bucket & 1) == 0 ? bits[at] & ~bit : bits[at] | bit;
            }
        }
        boolean fits = test.length <= stride;
        longTests.setPlain(row, fits ? null : test);
        if (fits) {
            System.arraycopy(test, 0, tests, row * stride, test.length);
        } else {
            tests[row * stride] = RowTests.ELSEWHERE;
        }
        nodes.setRelease(row, node);
        CHANGES.setRelease(this, before + 2);
        WORDS.setRelease(live, word, live[word] | bit);
        size++;
        added++;
        return row;
    }

    /// The slots by whose values the bitmaps leave a row out.
    List<Integer> slotsThatNarrow(int row) {
        List<Integer> narrowing = new ArrayList<>();
        for (int column = 0; column < slots.length; column++) {
            int at = column * Buckets.COUNT * words + row / Long.SIZE;
            for (int bucket = 0; bucket < Buckets.COUNT; bucket++, at += words) {
                if ((bits[at] >>> row & 1) == 0) {
                    narrowing.add(slots[column]);
                    break;
                }
            }
        }
        return narrowing;
    }

    void remove(int row) {
        int word = row / Long.SIZE;
        WORDS.setRelease(live, word, live[word] & ~(1L << row));
        nodes.setRelease(row, null);
        size--;
    }

    /// Those that are there, by their rows.
    List<Node<?>> members() {
        List<Node<?>> members = new ArrayList<>(size);
        for (int word = 0; word < words; word++) {
            for (long rows = live[word]; rows != 0; rows &= rows - 1) {
                members.add(node(rowOf(word, rows)));
            }
        }
        return members;
    }

    /// Looks at the nodes that may match. Any thread.
    ///
    /// @param left scratch space for a bitmap
    public void match(SlotValues values, NodeVisitor matching, long[] left) {
        int before = (int) CHANGES.getAcquire(this);
        if (anyLeft(values, matching, left)) {
            if (matching.isSampled()) {
                lookAt(matching, left);
            } else {
                test(values, matching, left, before);
            }
        }
    }

    private boolean anyLeft(SlotValues values, NodeVisitor matching, long[] left) {
        int columns = slots.length;
        int[] bitmaps = matching.bitmaps();
        for (int column = 0; column < columns; column++) {
            int bucket = matching.bucket(values, slots[column], buckets[column]);
            bitmaps[column] = (column * Buckets.COUNT + bucket) * words;
        }
        if (words == 1) {
            long rows = (long) WORDS.getAcquire(live, 0);
            for (int column = 0; column < columns; column++) {
                rows &= bits[bitmaps[column]];
            }
            left[0] = rows;
            return rows != 0;
        }
        // Two words at a time, so that what is left of them stays in registers. All words at a time
        // take 1.1 times as long with 10,000 selectors of 3 to 6 conditions.
        long any = 0;
        for (int word = 0; word < words; word += 2) {
            long rows = (long) WORDS.getAcquire(live, word);
            long next = (long) WORDS.getAcquire(live, word + 1);
            for (int column = 0; column < columns && (rows | next) != 0; column++) {
                int at = bitmaps[column] + word;
                rows &= bits[at];
                next &= bits[at + 1];
            }
            left[word] = rows;
            left[word + 1] = next;
            any |= rows | next;
        }
        return any != 0;
    }

    /// A node that has left meanwhile is passed over; if it has moved, the message finds it by
    /// that.
    private void lookAt(NodeVisitor matching, long[] left) {
        int read = 0;
        for (int word = 0; word < words; word++) {
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                Node<?> node = nodes.getAcquire(rowOf(word, rows));
                read += node == null ? 0 : node.hash;
            }
        }
        matching.readAhead(read);
        for (int word = 0; word < words; word++) {
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                Node<?> node = nodes.getAcquire(rowOf(word, rows));
                if (node != null) {
                    matching.node(node);
                }
            }
        }
    }

    /// Tests the nodes that may match by their rows.
    ///
    /// @param before how many changes there were before anything was read
    private void test(SlotValues values, NodeVisitor matching, long[] left, int before) {
        for (int word = 0; word < words; word++) {
            matching.tested(Long.bitCount(left[word]));
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                int row = rowOf(word, rows);
                int at = row * stride;
                int result =
                        tests[at] == RowTests.ELSEWHERE
                                ? testLong(row, values, matching)
                                : RowTests.test(tests, at, at + stride, values, matching);
                if (result != RowTests.FALSE) {
                    lookAt(row, result == RowTests.TRUE, matching, before);
                }
            }
        }
    }

    private int testLong(int row, SlotValues values, NodeVisitor matching) {
        int[] test = longTests.getPlain(row);
        return test == null
                ? RowTests.UNSURE
                : RowTests.test(test, 0, test.length, values, matching);
    }

    /// What was read is of this node only if nothing has changed since. If it is of another, that
    /// has left meanwhile.
    private void lookAt(int row, boolean matches, NodeVisitor matching, int before) {
        Node<?> node = nodes.getAcquire(row);
        if (node == null) {
            return;
        }
        VarHandle.acquireFence();
        if (matches && (before & 1) == 0 && (int) CHANGES.getOpaque(this) == before) {
            matching.found(node);
        } else {
            matching.node(node);
        }
    }

    private static int rowOf(int word, long rows) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(rows);
    }
}
