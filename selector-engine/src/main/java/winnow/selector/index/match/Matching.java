package winnow.selector.index.match;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.MatchPause;
import winnow.selector.index.api.MatchSink;
import winnow.selector.index.learn.IndexStatistics;
import winnow.selector.index.learn.Move;
import winnow.selector.index.node.Block;
import winnow.selector.index.node.Leaf;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.NodeEntry;
import winnow.selector.index.node.NodeStatistics;
import winnow.selector.index.node.NodeVisitor;
import winnow.selector.index.node.RowTests;
import winnow.selector.index.node.Subscribers;
import winnow.selector.index.structure.Buckets;
import winnow.selector.index.structure.PagedInts;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.Lookup;
import winnow.selector.index.term.PredicateTerm;
import winnow.selector.index.term.Probes;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// One match after the other, with the memory that they need, so that none allocates. Owned by one
/// event loop, as its [winnow.selector.index.MatchScratch] is.
public final class Matching extends NodeVisitor {

    /// An index with at least this many nodes is read ahead (see [Probes] and [Hits]), because it
    /// does not fit into the processor's cache. With 1,000,000 selectors this saves 15 to 20 %;
    /// with few it would cost 4 ns per slot, and 4 ns per node that is hit. For a message with one
    /// value it is left out, too: its few cache misses hardly overlap, and it would cost 2 to 3 ns.
    private static final int LARGE_INDEX = 32_768;

    private static final MatchSink<Object> NOBODY = subscriber -> {};

    /// Marks what belongs to the current message; never used twice without clearing.
    private int epoch;

    private final TermResults results = new TermResults();

    /// By node: the epoch in which it was last looked at.
    private final PagedInts seen = new PagedInts();

    private final ValueClasses classes = new ValueClasses();

    /// Scratch space of one [Block#match].
    private final long[] left = new long[Block.MAX_ROWS / Long.SIZE];

    private final Gathered gathered = new Gathered();

    private SlotValues values = new SlotValues();
    private Scratch scratch = values.scratch();

    /// This and the sink are kept after a match, because they are mostly those of the next one,
    /// too, and writing a reference costs up to 5 ns with G1. A message that is not matched by its
    /// values does not ask for it.
    private @Nullable Probes probes;

    private MatchSink<Object> sink = NOBODY;

    /// True if a match has begun that has not ended.
    private boolean running;

    /// Null unless the message is sampled.
    private @Nullable IndexStatistics statistics;

    /// Written but never read, so that the compiler keeps the reads ahead: see [Probes].
    @SuppressWarnings("UnusedVariable")
    private int readAhead;

    private boolean indexLarge;
    private long candidates;
    private long tests;
    private long matches;

    /// Units of work beside candidates, matches and [#scannedUnits].
    private long otherUnits;

    /// Value of [Scratch#scannedBytes] when the first message with the current values began.
    private long scannedBefore;

    private final Pausing pausing;
    private final Unvisited unvisited = new Unvisited();

    /// For a match that was stopped, the last move that was looked at or was complete before; null
    /// if the message is not matched by its values.
    private @Nullable Move lastMove;

    /// @param pause stops matches that may be stopped, if there is one
    public Matching(@Nullable MatchPause pause) {
        pausing = new Pausing(pause);
    }

    /// Distinct selectors that an access key led to, but for those that a [Leaf] or a [Block] told
    /// not to match.
    public long candidates() {
        return candidates;
    }

    /// Candidates whose formula had to be tested.
    public long tests() {
        return tests;
    }

    /// Calls of sinks.
    public long matches() {
        return matches;
    }

    /// Begins with a message, whose values are then looked up.
    ///
    /// @param mayPause whether the match may be stopped
    public <S> void begin(
            SlotValues newValues,
            MatchSink<? super S> newSink,
            int terms,
            int nodes,
            Probes newProbes,
            IndexStatistics newStatistics,
            boolean mayPause) {
        if (values != newValues) {
            otherUnits += scannedUnits();
            values = newValues;
            scratch = newValues.scratch();
            scannedBefore = scratch.scannedBytes;
        }
        begin(newSink, mayPause);
        if (probes != newProbes) {
            probes = newProbes;
        }
        if (newValues.isSampled()) {
            statistics = newStatistics;
        }
        results.ensure(terms);
        seen.ensure(nodes);
        indexLarge = nodes >= LARGE_INDEX && newValues.presentCount() > 1;
        epoch++;
        if (epoch > Integer.MAX_VALUE / 2) {
            results.clear();
            seen.clear();
            classes.clear();
            epoch = 1;
        }
    }

    /// Gives a message to all subscribers of a node that matches everything, whatever its values
    /// are. May be stopped.
    ///
    /// @return whether the match has ended
    public <S> boolean all(Node<S> node, MatchSink<? super S> newSink) {
        begin(newSink, true);
        candidates++;
        deliverAll(node);
        return proceed();
    }

    /// Begins a match. What is left of the last one is forgotten: its sink failed.
    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // It gets those of one index only.
    private void begin(MatchSink<?> newSink, boolean mayPause) {
        if (running) {
            abandon();
        }
        running = true;
        if (sink != newSink) {
            sink = (MatchSink<Object>) newSink;
        }
        pausing.begin(mayPause, this);
    }

    /// Looks up the values of the message.
    ///
    /// @param from which of the slots that it has is the first
    public void probe(Probes current, int from) {
        int next = current.probe(values, this, from);
        if (next != Probes.ALL) {
            unvisited.add(Unvisited.Visit.SLOTS, current, next);
        }
    }

    /// Ends by looking at what moved while the message was matched, unless the match is stopped.
    ///
    /// @param complete the last move that was complete before that
    /// @return whether the match has ended
    public boolean end(Move complete) {
        gathered.visit(this);
        if (unvisited.isEmpty() && complete.next() == null) {
            finish();
            return true;
        }
        lastMove = complete;
        return proceed();
    }

    /// Goes on with a match that was stopped. Something is done, whatever the pause says.
    ///
    /// @return whether it has ended
    public boolean resume() {
        pausing.resume(units());
        return proceed();
    }

    /// Gives up a match that was stopped, and forgets whose the last one was.
    public void abandon() {
        gathered.clear();
        unvisited.clear();
        lastMove = null;
        probes = null;
        sink = NOBODY;
        statistics = null;
        running = false;
    }

    private boolean proceed() {
        while (!unvisited.isEmpty() || nextMove() != null) {
            if (isOver()) {
                return false;
            }
            if (unvisited.isEmpty()) {
                lookAtMove();
            } else {
                unvisited.visitLast(this);
                gathered.visit(this);
            }
        }
        finish();
        unvisited.shrink();
        lastMove = null;
        return true;
    }

    private void finish() {
        if (statistics != null && probes != null) {
            probes.tally(values);
            statistics.count(values);
            statistics = null;
        }
        running = false;
    }

    private @Nullable Move nextMove() {
        return lastMove == null ? null : lastMove.next();
    }

    private void lookAtMove() {
        Move next = nextMove();
        lastMove = next;
        Node<?> node = next == null ? null : next.node();
        if (node != null) {
            node(node);
        }
    }

    /// Units of work done so far.
    long units() {
        return candidates + matches + otherUnits + scannedUnits();
    }

    private long scannedUnits() {
        return (scratch.scannedBytes - scannedBefore) / MatchPause.BYTES_PER_UNIT;
    }

    @Override
    public boolean isOver() {
        return pausing.mayStop() && pausing.isOver(units());
    }

    @Override
    public boolean isIndexLarge() {
        return indexLarge;
    }

    @Override
    public void lookedUp(int slots) {
        otherUnits += (long) slots * Pausing.UNITS_PER_SLOT;
    }

    @Override
    public void readAhead(int read) {
        readAhead = read;
    }

    @Override
    protected void leave(Lookup rest) {
        unvisited.add(Unvisited.Visit.LOOKUP, rest, 0);
    }

    @Override
    public boolean remembered(PredicateTerm term, SlotValues theValues) {
        return results.inFormula(term, theValues, epoch, this);
    }

    @Override
    public int asked(int number, SlotValues theValues) {
        PredicateTerm term = probes == null ? null : probes.asked().term(number);
        if (term == null) {
            return RowTests.UNSURE;
        }
        if (!results.isKnown(term, epoch)) {
            if (!theValues.holds(term.newestSlot())) {
                return RowTests.UNSURE;
            }
            otherUnits++;
            onSlowTest();
        }
        return results.of(term, theValues, epoch) ? RowTests.TRUE : RowTests.FALSE;
    }

    @Override
    public int bucket(SlotValues theValues, int slot, Buckets among) {
        return classes.of(theValues, slot, among, epoch);
    }

    @Override
    public void candidates(Object terms) {
        unvisited.visitTerms(terms, 0, this);
    }

    @Override
    public void candidate(SharedTerm term) {
        unvisited.visitTerm(term, this);
    }

    /// Tests a term, and notes that it is true.
    void test(SharedTerm term) {
        otherUnits++;
        results.beginFormula();
        if (term.test(values, this)) {
            hit(term);
        }
    }

    @Override
    public void hitNodes(Object nodes) {
        if (!indexLarge && nodes instanceof Node<?>) {
            // It is probably in the cache.
            cluster(nodes);
            return;
        }
        gathered.hit(nodes, this);
    }

    /// Looks at all nodes of a cluster's content.
    void cluster(Object nodes) {
        if (isOver()) {
            unvisited.add(Unvisited.Visit.NODES, nodes, 0);
        } else {
            unvisited.visitNodes(nodes, 0, this);
        }
    }

    /// Looks at the nodes of a [Leaf] that match.
    ///
    /// @return the row to go on with, 0 if all were looked at
    int leaf(Object[] leaf, int from) {
        otherUnits += 1 + Leaf.rows(leaf) / Pausing.ROWS_PER_UNIT;
        return isSampled()
                ? Leaf.lookAtAll(leaf, this, from)
                : Leaf.match(leaf, values, this, from);
    }

    @Override
    public void lookedThrough() {
        otherUnits += Pausing.UNITS_PER_BLOCK;
    }

    @Override
    public void tested(int rows) {
        otherUnits += rows / Pausing.ROWS_PER_UNIT;
    }

    /// Looks which nodes of a block may match, and at those.
    ///
    /// @return the row to go on with, 0 if all were looked at
    int block(Block block, int from) {
        otherUnits++;
        return block.match(values, this, left, from);
    }

    @Override
    public boolean isSampled() {
        return statistics != null;
    }

    @Override
    public void found(Node<?> node) {
        if (!indexLarge) {
            // It is probably in the cache.
            tell(node);
            return;
        }
        gathered.found(node, this);
    }

    @Override
    public void tell(int number, Object subscriber) {
        if (seen.has(number) && seen.get(number) != epoch) {
            seen.set(number, epoch);
            candidates++;
            matches++;
            sink.onMatch(subscriber);
        }
    }

    /// Gives the message to the subscribers of a node that matches, unless it has them already.
    void tell(Node<?> node) {
        if (isToLookAt(node)) {
            candidates++;
            deliverAll(node);
        }
    }

    /// True if it was not looked at yet, and the message is not too old for it.
    private boolean isToLookAt(Node<?> node) {
        if (node.isSeenOften()) {
            int number = node.number();
            if (!seen.has(number) || seen.get(number) == epoch) {
                return false;
            }
            seen.set(number, epoch);
        }
        return !node.isNewerThan(values);
    }

    @Override
    public void node(Node<?> node) {
        if (!isToLookAt(node)) {
            return;
        }
        candidates++;
        if (!node.isExact()) {
            tests++;
        }
        IndexStatistics sampling = statistics;
        if (node.isExact() && sampling == null) {
            deliverAll(node);
        } else {
            test(node, sampling);
        }
    }

    /// Tests a node, or goes on with a test that was broken off: the results of terms are
    /// remembered.
    ///
    /// @param sampling null unless the node is told of the message
    void test(Node<?> node, @Nullable IndexStatistics sampling) {
        onSlowTest();
        otherUnits += node.effort() / Pausing.EFFORT_PER_UNIT;
        results.beginFormula();
        boolean matched = sampling == null ? node.test(values, this) : sampled(node, sampling);
        if (results.isFormulaBrokenOff()) {
            unvisited.add(Unvisited.Visit.HALF_TESTED, node, 0);
        } else if (matched) {
            deliverAll(node);
        }
    }

    private boolean sampled(Node<?> node, IndexStatistics current) {
        NodeStatistics observed = node.statistics();
        if (observed != null) {
            return observed.test(this);
        }
        current.sighted(node);
        return node.isExact() || node.test(values, this);
    }

    @Override
    public boolean test(Formula formula) {
        return formula.test(values, this);
    }

    private void deliverAll(Node<?> node) {
        // Read last: the writer empties the list before it takes anything of the node apart.
        Object subscribers = node.subscribers();
        if (subscribers != null) {
            unvisited.visitSubscribers(subscribers, 0, this);
        }
    }

    /// @param entries of a list of [Subscribers]
    void deliverEach(NodeEntry<?>[] entries) {
        MatchSink<Object> current = sink;
        matches += entries.length;
        for (NodeEntry<?> entry : entries) {
            current.onMatch(entry.subscriber());
        }
    }

    /// @param content of [Subscribers] that is one subscriber
    void deliver(Object content) {
        matches++;
        sink.onMatch(Subscribers.subscriber(content));
    }
}
