package winnow.selector.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.Release;
import winnow.selector.slot.SlotValues;

/// Up to 1,024 nodes of one cluster, side by side: for each of the slots that they ask most, and
/// for each class of its values, a bitmap ([Columns]) of the nodes that may match. A message ANDs
/// the bitmaps of its classes and looks only at the nodes that are left.
///
/// One writer, many readers. A node's bit in `live` is set after everything else of it is there,
/// and a reader takes each word of that bitmap before the same word of others; so it may meet a
/// node before or after a change, never half.
public final class Block {

    /// 16 words: a bitmap is two cache lines.
    public static final int MAX_ROWS = 1024;

    static final int MIN_ROWS = 64;

    /// Larger blocks have a multiple of so many rows.
    private static final int COARSE_STEP = Columns.WORDS_AT_A_TIME * Long.SIZE;

    /// Ints of a row before its tests.
    private static final int NUMBER = 1;

    /// Ints of a row in a block that has no node yet: nearly all rows fit.
    private static final int FIRST_STRIDE = 12;

    /// So many nodes per row come before the columns are chosen again. With two, that took 8 to 10
    /// % of the time where selectors come and go. Whenever the same are chosen, it takes twice as
    /// many until the next time.
    private static final int NODES_PER_ROW = 4;

    private static final int MAX_NODES_PER_ROW = 64;

    /// Of 64 rows, the nodes of so many tell whether the same columns would be chosen again.
    private static final int SAMPLED_PER_WORD = 8;

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CHANGES =
            Release.of(MethodHandles.lookup(), "changes", int.class);

    private final SharedTerm key;

    private final int words;
    private final AtomicReferenceArray<@Nullable Node<?>> nodes;
    private final long[] live;

    /// By row, the only subscriber of a node that has one key and one subscriber, else null:
    /// telling it takes no look at the node, which would be two or three misses of the cache.
    private final AtomicReferenceArray<@Nullable Object> subscribers;

    /// The latest of the versions that messages need to have seen for any of the nodes, or for one
    /// that was here.
    private int newestVersion;

    private final Columns columns;
    private final FreeRows free;

    /// By row, the number of its node, and what that asks besides the key and what the bitmaps tell
    /// exactly: see [RowTests]. What does not fit is in [#longTests].
    private final int[] tests;

    /// Ints of a row.
    private final int stride;

    /// By row, null if it fits; null as long as all have. Written before [#changes] says so.
    private @Nullable AtomicReferenceArray<int @Nullable []> longTests;

    private final RowWriter writer;

    /// Counts the beginnings and the ends of changes to rows. A reader that met another number
    /// after it read a row may have read a mixture. Odd while a row is changed, and for good when
    /// another block has taken its place.
    private int changes;

    private int size;

    /// Nodes that were added since the columns were chosen.
    private int added;

    private int nodesPerRow = NODES_PER_ROW;

    /// @param key that leads to the nodes
    /// @param members not more than [#MAX_ROWS]; they get the rows in their order
    static Block of(SharedTerm key, List<? extends Node<?>> members) {
        List<@Nullable Formula> parts = new ArrayList<>(members.size());
        members.forEach(member -> parts.add(RowWriter.part(member, key)));
        List<Formula> asked = parts.stream().map(Block::asked).toList();
        int words = rowsFor(members.size()) / Long.SIZE;
        Columns columns = new Columns(asked, words);
        RowWriter writer = new RowWriter(key, columns.bySlot(), columns.buckets());
        List<int[]> written = new ArrayList<>(members.size());
        for (Formula part : parts) {
            written.add(writer.row(part, RowWriter.MAX_INTS));
        }
        Block block = new Block(key, words, columns, writer, strideOf(written));
        for (int i = 0; i < members.size(); i++) {
            block.add(members.get(i), asked.get(i), written.get(i));
        }
        block.added = 0;
        return block;
    }

    /// One without any node.
    ///
    /// @param like has the columns until it is full
    static Block empty(SharedTerm key, Block like) {
        int words = MIN_ROWS / Long.SIZE;
        Columns columns = new Columns(like.columns, words);
        RowWriter writer = new RowWriter(key, columns.bySlot(), columns.buckets());
        return new Block(key, words, columns, writer, FIRST_STRIDE);
    }

    private Block(SharedTerm key, int words, Columns columns, RowWriter writer, int stride) {
        this.key = key;
        this.words = words;
        this.columns = columns;
        this.writer = writer;
        this.stride = stride;
        int rows = words * Long.SIZE;
        nodes = new AtomicReferenceArray<>(rows);
        live = new long[words];
        subscribers = new AtomicReferenceArray<>(rows);
        free = new FreeRows(columns.buckets().length);
        tests = new int[rows * stride + RowTests.PADDING];
    }

    /// A quarter more than there are nodes, in steps that [Columns] can take: few are unused.
    private static int rowsFor(int size) {
        int wanted = size * 5 / 4;
        int step = wanted <= COARSE_STEP ? MIN_ROWS : COARSE_STEP;
        int rows = (wanted + step - 1) / step * step;
        return Math.clamp(rows, MIN_ROWS, MAX_ROWS);
    }

    /// Length in which nearly all rows fit.
    private static int strideOf(List<int[]> written) {
        int[] lengths = written.stream().mapToInt(row -> row.length).sorted().toArray();
        int most = lengths.length == 0 ? RowWriter.MAX_INTS : lengths[lengths.length * 15 / 16];
        return Math.min(RowWriter.MAX_INTS, NUMBER + most);
    }

    /// @param part see [RowWriter#part]
    /// @return TRUE if that is too much to look at
    private static Formula asked(@Nullable Formula part) {
        return part == null ? Formula.AllOf.ALWAYS : part;
    }

    /// See [Columns#slotsThatNarrow].
    List<Integer> slotsThatNarrow(int row) {
        return columns.slotsThatNarrow(row);
    }

    int size() {
        return size;
    }

    int rows() {
        return nodes.length();
    }

    /// True if so many nodes have come since the columns were chosen that others may tell more.
    boolean isStale() {
        return added >= nodesPerRow * nodes.length();
    }

    /// One with the same nodes whose columns are chosen by these; this one if they are likely to be
    /// the same.
    Block renewed() {
        int moreNodes = Math.min(MAX_NODES_PER_ROW, 2 * nodesPerRow);
        if (longTests == null && columns.suit(someAsked())) {
            added = 0;
            nodesPerRow = moreNodes;
            return this;
        }
        Block renewed = resized();
        if (renewed.columns.areLike(columns)) {
            renewed.nodesPerRow = moreNodes;
        }
        return renewed;
    }

    /// One with the same nodes and room for some more.
    Block resized() {
        return of(key, members());
    }

    /// One with the nodes of both.
    Block with(Block other) {
        List<Node<?>> both = members();
        both.addAll(other.members());
        return of(key, both);
    }

    /// Formulas that some of the nodes ask: those of [#SAMPLED_PER_WORD] of 64 rows at most.
    private List<Formula> someAsked() {
        List<Formula> some = new ArrayList<>(words * SAMPLED_PER_WORD);
        for (int word = 0; word < words; word++) {
            long rows = live[word];
            for (int i = 0; i < SAMPLED_PER_WORD && rows != 0; i++, rows &= rows - 1) {
                some.add(asked(RowWriter.part(node(rowOf(word, rows)), key)));
            }
        }
        return some;
    }

    boolean isLive(int row) {
        return (live[row / Long.SIZE] >>> row & 1) != 0;
    }

    /// The node of a row that is live. Writer only.
    Node<?> node(int row) {
        return Objects.requireNonNull(nodes.getPlain(row));
    }

    /// The number of the node of a row that is live, without a look at the node. Writer only.
    int number(int row) {
        return tests[row * stride];
    }

    /// The row of a node, which must be there. Writer only.
    @SuppressWarnings("ReferenceEquality") // Nodes are equal by identity.
    int find(Node<?> node) {
        int row = 0;
        while (nodes.getPlain(row) != node) {
            row++;
        }
        return row;
    }

    /// Adds a node, for which there must be room.
    ///
    /// @param part see [RowWriter#part]
    /// @return its row
    int add(Node<?> node, @Nullable Formula part) {
        return add(node, asked(part), writer.row(part, RowWriter.MAX_INTS));
    }

    private int add(Node<?> node, Formula asked, int[] test) {
        int row = free.take();
        int[] masks = columns.masks(asked);
        int before = changes;
        CHANGES.setOpaque(this, before + 1);
        VarHandle.releaseFence();
        columns.set(row, free, masks);
        boolean fits = NUMBER + test.length <= stride;
        setLong(row, fits ? null : test);
        int at = row * stride;
        tests[at] = node.number();
        if (fits) {
            System.arraycopy(test, 0, tests, at + NUMBER, test.length);
        } else {
            tests[at + NUMBER] = RowTests.ELSEWHERE;
        }
        newestVersion = size == 0 ? node.requiredVersion() : node.newest(newestVersion);
        subscribers.setPlain(row, node.subscriberForBlock());
        nodes.setRelease(row, node);
        CHANGES.setRelease(this, before + 2);
        int word = row / Long.SIZE;
        WORDS.setRelease(live, word, live[word] | 1L << row);
        size++;
        added++;
        return row;
    }

    private void setLong(int row, int @Nullable [] test) {
        AtomicReferenceArray<int @Nullable []> all = longTests;
        if (all == null) {
            if (test == null) {
                return;
            }
            all = new AtomicReferenceArray<>(rows());
            longTests = all;
        }
        all.setPlain(row, test);
    }

    /// @param formula of the node of the row, which has the same keys as when it was added
    void remove(int row, Formula formula) {
        free.add(row, columns.masks(asked(RowWriter.part(node(row), formula, key))));
        int word = row / Long.SIZE;
        WORDS.setRelease(live, word, live[word] & ~(1L << row));
        nodes.setRelease(row, null);
        subscribers.setRelease(row, null);
        size--;
    }

    /// Another block has taken its place, so that it is not kept up to date any more: whoever still
    /// reads it asks the nodes.
    void retire() {
        CHANGES.setRelease(this, changes + 1);
    }

    /// Another subscriber is the only one of a node now, or none.
    void subscribersChanged(int row) {
        subscribers.setRelease(row, node(row).subscriberForBlock());
    }

    /// Nodes that are there, by their rows.
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
    /// @param from the row to begin with
    /// @return the row to go on with because the match is over, 0 if all were looked at
    public int match(SlotValues values, NodeVisitor matching, long[] left, int from) {
        int before = (int) CHANGES.getAcquire(this);
        matching.lookedThrough();
        int wordsLeft = columns.wordsLeft(values, matching, live, left);
        if (wordsLeft == 0) {
            return 0;
        }
        if (from > 0) {
            wordsLeft &= -1 << (from / Long.SIZE);
            left[from / Long.SIZE] &= -1L << from;
        }
        return matching.isSampled()
                ? lookAt(matching, left, wordsLeft)
                : test(values, matching, left, wordsLeft, before);
    }

    /// A node that has left meanwhile is passed over; if it has moved, the message finds it by
    /// that.
    private int lookAt(NodeVisitor matching, long[] left, int wordsLeft) {
        int read = 0;
        for (int some = wordsLeft; some != 0; some &= some - 1) {
            int word = Integer.numberOfTrailingZeros(some);
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                Node<?> node = nodes.getAcquire(rowOf(word, rows));
                read += node == null ? 0 : node.hash;
            }
        }
        matching.readAhead(read);
        for (int some = wordsLeft; some != 0; some &= some - 1) {
            int word = Integer.numberOfTrailingZeros(some);
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                Node<?> node = nodes.getAcquire(rowOf(word, rows));
                if (node != null) {
                    matching.node(node);
                    if (matching.isOver()) {
                        return after(rowOf(word, rows));
                    }
                }
            }
        }
        return 0;
    }

    /// Tests the nodes that may match by their rows.
    ///
    /// @param before how many changes there were before anything was read
    private int test(
            SlotValues values, NodeVisitor matching, long[] left, int wordsLeft, int before) {
        boolean sure = (before & 1) == 0;
        boolean direct = sure && (int) values.version() - newestVersion >= 0;
        int[] ints = tests;
        int length = stride;
        int tested = 0;
        int slow = matching.slowTests();
        for (int some = wordsLeft; some != 0; some &= some - 1) {
            int word = Integer.numberOfTrailingZeros(some);
            for (long rows = left[word]; rows != 0; rows &= rows - 1) {
                int row = rowOf(word, rows);
                int at = row * length;
                int first = at + NUMBER;
                int result =
                        ints[first] == RowTests.ELSEWHERE
                                ? testLong(row, values, matching)
                                : RowTests.test(ints, first, at + length, values, matching);
                tested++;
                if (result != RowTests.FALSE) {
                    boolean matches = sure && result == RowTests.TRUE;
                    if (!(matches && direct && tell(row, ints[at], matching, before))) {
                        lookAt(row, matches, matching, before);
                    }
                }
                if (matching.slowTests() != slow) {
                    if (matching.isOver()) {
                        matching.tested(tested);
                        return after(row);
                    }
                    slow = matching.slowTests();
                }
            }
        }
        matching.tested(tested);
        return 0;
    }

    private int testLong(int row, SlotValues values, NodeVisitor matching) {
        AtomicReferenceArray<int @Nullable []> all = longTests;
        int[] test = all == null ? null : all.getPlain(row);
        return test == null
                ? RowTests.UNSURE
                : RowTests.test(test, 0, test.length, values, matching);
    }

    /// Tells the only subscriber of a row that matches, without a look at its node.
    ///
    /// @return false if it has to be done by the node
    private boolean tell(int row, int number, NodeVisitor matching, int before) {
        Object subscriber = subscribers.getAcquire(row);
        if (subscriber == null || !isUnchangedSince(before)) {
            return false;
        }
        matching.tell(number, subscriber);
        return true;
    }

    private boolean isUnchangedSince(int before) {
        VarHandle.acquireFence();
        return (int) CHANGES.getOpaque(this) == before;
    }

    /// Looks at the node of a row. The result that was read is of this node only if nothing has
    /// changed since. If it is of another, that has left meanwhile.
    private void lookAt(int row, boolean matches, NodeVisitor matching, int before) {
        Node<?> node = nodes.getAcquire(row);
        if (node == null) {
            return;
        }
        if (isUnchangedSince(before) && matches) {
            matching.found(node);
        } else {
            matching.node(node);
        }
    }

    /// The next row, 0 after the last.
    private int after(int row) {
        return (row + 1) % rows();
    }

    private static int rowOf(int word, long rows) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(rows);
    }
}
