package winnow.selector.index;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import winnow.selector.engine.Selector;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;
import winnow.selector.index.api.MatchSink;
import winnow.selector.index.api.SelectorReport;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.learn.HitRates;
import winnow.selector.index.learn.IndexStatistics;
import winnow.selector.index.learn.Move;
import winnow.selector.index.learn.Tuner;
import winnow.selector.index.match.Matching;
import winnow.selector.index.node.Cluster;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.Nodes;
import winnow.selector.index.report.Reporter;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.Probes;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.Term;
import winnow.selector.index.term.Terms;
import winnow.selector.slot.Numbers;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// The selectors of one topic with their subscribers. Identical selectors are evaluated once, and a
/// message is compared only with selectors that its values lead to.
///
/// One writer, the topic's owner, adds and removes. Any number of threads match at the same time,
/// without locks and without allocation, each with its own [SlotValues] and [MatchScratch]. A
/// message whose values were reset after [#add] returned reaches the new subscriber; one that
/// begins to match after [#remove] returned does not reach the removed one; in between either may
/// happen.
///
/// @param <S> the subscribers, whatever they are
public final class SelectorIndex<S> {

    /// So rarely that it costs next to nothing, and so often that each node has its turn many times
    /// while 2^31 versions pass.
    private static final int NODES_PER_AGEING = 16;

    private final Slots slots;
    private final Probes probes;
    private final Terms terms;
    private final IndexStatistics statistics = new IndexStatistics();
    private final HitRates rates;
    private final Tuner tuner;
    private final Reporter reporter;
    private final BiConsumer<Node<?>, AccessKeys> mover = this::move;
    private final Numbers nodeNumbers = new Numbers();
    private final Nodes<S> nodes = new Nodes<>();
    private final Disposals disposals;
    private long addedNodes;
    private int size;

    /// The node that matches everything.
    private volatile @Nullable Node<S> always;

    /// Numbers of terms, without constants, and of nodes are below these.
    private volatile int termLimit;

    private volatile int nodeLimit;

    /// The last that is complete.
    private volatile Move lastMove = new Move(null);

    private long moves;

    public SelectorIndex() {
        this(ThreadLocalRandom.current().nextLong());
    }

    /// @param hashSeed makes the hash of strings unpredictable for those who send them
    public SelectorIndex(long hashSeed) {
        this(new Slots(hashSeed), hashSeed);
    }

    SelectorIndex(Slots slots, long hashSeed) {
        this.slots = slots;
        this.probes = new Probes(hashSeed);
        this.terms = new Terms(slots, probes);
        this.rates = new HitRates(statistics, slots);
        this.tuner = new Tuner(statistics, rates);
        this.disposals = new Disposals(terms, rates, this::forgetNumber);
        this.reporter = new Reporter(slots, statistics, rates, tuner);
    }

    /// The names and constants that the selectors use; the same for the life of the index.
    public Slots slots() {
        return slots;
    }

    /// Adds a subscriber, also one that is there already, which is then called once more. Writer
    /// only.
    ///
    /// @param selector null to get every message
    public SubscriberHandle<S> add(@Nullable Selector selector, S subscriber) {
        Addition<S> addition = adding(selector, subscriber);
        addition.step(Integer.MAX_VALUE);
        return addition.entry();
    }

    /// The same in steps, for selectors that may be large. Nothing is done before the first.
    public Addition<S> adding(@Nullable Selector selector, S subscriber) {
        Condition canonical =
                selector == null ? new BooleanLiteral(true) : selector.canonical().expression();
        return new Addition<>(this, terms, canonical, subscriber);
    }

    @Nullable Node<S> find(Formula formula) {
        return nodes.find(formula);
    }

    /// Terms by which a new node with this formula is to be found.
    AccessKeys access(Formula formula) {
        return formula.equals(Formula.AllOf.ALWAYS)
                ? AccessKeys.NONE
                : AccessKeys.of(formula, rates::likelyCost);
    }

    /// A node that hangs nowhere yet.
    ///
    /// @param keys of which it takes over one use each
    /// @param exact see [AccessKeys#exact]
    Node<S> newNode(Formula formula, List<SharedTerm> keys, boolean exact) {
        int number = nodeNumbers.take();
        publishLimits();
        boolean termReused = terms.numbers().takeReused();
        boolean nodeReused = nodeNumbers.takeReused();
        long version = termReused || nodeReused ? slots.publishNext() : slots.publish();
        return new Node<>(formula, keys, exact, number, version, statistics.unobserved());
    }

    /// Number of nodes that were completed so far.
    long addedNodes() {
        return addedNodes;
    }

    /// The node that is there for a formula from now on: this one, which hangs on its keys, or one
    /// that was complete before.
    ///
    /// @param unknownBefore [#addedNodes] when there was no other
    Node<S> complete(Node<S> node, Formula formula, long unknownBefore) {
        Node<S> known = addedNodes == unknownBefore ? null : nodes.find(formula);
        if (known != null) {
            disposals.add(node);
            return known;
        }
        nodes.add(node);
        if (++addedNodes % NODES_PER_AGEING == 0) {
            nodes.age(slots.version());
        }
        if (formula.equals(Formula.AllOf.ALWAYS)) {
            always = node;
        }
        return node;
    }

    /// Takes a node apart that was not completed.
    ///
    /// @param hung the keys that it hangs on
    void undo(Node<S> node, List<SharedTerm> hung) {
        Formula formula = node.formula();
        hung.forEach(key -> Cluster.unhang(node, formula, key));
        node.keys().forEach(terms::release);
        formula.forEachTerm(terms::release);
        nodeNumbers.giveBack(node.number());
    }

    SubscriberHandle<S> subscribe(Node<S> node, S subscriber) {
        SubscriberHandle<S> entry = node.add(subscriber);
        if (node.isScanned()) {
            // It costs something even if no message ever leads to it.
            tuner.adopt(node);
        }
        size++;
        return entry;
    }

    /// Leaves out writes that change nothing, because each write waits for all writes before it.
    private void publishLimits() {
        if (termLimit != terms.numbers().limit()) {
            termLimit = terms.numbers().limit();
        }
        if (nodeLimit != nodeNumbers.limit()) {
            nodeLimit = nodeNumbers.limit();
        }
    }

    /// Removes a subscriber; does nothing the second time. Writer only.
    public void remove(SubscriberHandle<S> entry) {
        detach(entry);
        while (tidy(Integer.MAX_VALUE)) {
            // Goes on until nothing is left to forget.
        }
    }

    /// The same, but leaves what only this subscriber needed to [#tidy].
    public void detach(SubscriberHandle<S> entry) {
        Node<S> node = Node.of(entry);
        if (!node.remove(entry)) {
            return;
        }
        size--;
        if (!node.isEmpty()) {
            return;
        }
        nodes.remove(node);
        if (node == always) {
            always = null;
        }
        tuner.forget(node);
        disposals.add(node);
    }

    /// Forgets some of what no subscriber needs any more. Writer only.
    ///
    /// @param budget how many terms to look at at most, a microsecond or less each
    /// @return whether there is more to forget
    public boolean tidy(int budget) {
        return disposals.step(budget);
    }

    private void forgetNumber(Node<?> node) {
        nodeNumbers.giveBack(node.number());
        slots.publish();
    }

    /// Calls the sink once for each subscriber whose selector is TRUE for the message; those of one
    /// selector in the order in which they were added. Any thread.
    ///
    /// @param values of the message, made for [#slots]
    public void match(SlotValues values, MatchScratch scratch, MatchSink<? super S> sink) {
        start(values, scratch.matching, sink, false);
    }

    /// The same, but the pause of `scratch` may stop it. Then it goes on with
    /// [MatchScratch#resume], and until it has ended, `values` and `scratch` belong to it.
    /// Subscribers who are added or removed meanwhile may be called or not, all others are called
    /// once. Any thread.
    ///
    /// @return whether it has ended
    public boolean begin(SlotValues values, MatchScratch scratch, MatchSink<? super S> sink) {
        return start(values, scratch.matching, sink, true);
    }

    private boolean start(
            SlotValues values, Matching matching, MatchSink<? super S> sink, boolean mayPause) {
        assert values.areFor(slots) : "values of another topic";
        Move complete = lastMove;
        matching.<S>begin(values, sink, termLimit, nodeLimit, probes, statistics, mayPause);
        Node<S> all = always;
        if (all != null) {
            matching.node(all);
        }
        matching.probe(probes, 0);
        return matching.end(complete);
    }

    /// True if no selector asks for anything of a message: then [#beginUnasked] calls those that
    /// [#begin] would call, and no values are needed. Any thread.
    public boolean asksNothing() {
        return probes.isEmpty();
    }

    /// Calls the sink once for each subscriber who gets every message; may stop as [#begin] does.
    /// Any thread.
    ///
    /// @return whether it has ended
    public boolean beginUnasked(MatchScratch scratch, MatchSink<? super S> sink) {
        Node<S> all = always;
        return all == null || scratch.matching.all(all, sink);
    }

    /// Does some of what keeps matching fast while messages and selectors change: orders the
    /// operands of AND and OR, and looks for better access keys, both by what sampled messages
    /// showed. To be called about every 100 ms, not from a [MatchSink]. Writer only.
    ///
    /// @param budget how many selectors to look at if they are small, a few microseconds each, and
    ///   fewer large ones; at four times as many it is only seen that there is nothing to look at.
    ///   64 is enough
    public void tune(int budget) {
        if (startTuning()) {
            tuneSome(budget);
        }
    }

    /// Begins the same in steps, which [#tuneSome] does. Writer only.
    ///
    /// @return whether there is anything to do
    public boolean startTuning() {
        boolean news = tuner.hasNews();
        if (news) {
            probes.decayTallies(statistics.messages());
            tuner.start();
        }
        return news;
    }

    /// Does some of what [#tune] does. Writer only.
    ///
    /// @param budget see [#tune]
    public void tuneSome(int budget) {
        tuner.tune(budget, mover);
    }

    /// Hangs a node on other keys. A message that is matched meanwhile may find it by the old, by
    /// the new, by both or by none; so it looks at each node only once, and at the end at those
    /// that moved. No lambdas here, as in [winnow.selector.index.learn].
    void move(Node<?> node, AccessKeys access) {
        Move move = new Move(node);
        node.mayMove();
        lastMove.next(move);
        Formula formula = node.formula();
        List<SharedTerm> former = node.keys();
        Set<SharedTerm> distinct = new LinkedHashSet<>();
        for (Term term : access.terms()) {
            distinct.add(terms.itself(term));
        }
        for (SharedTerm key : distinct) {
            key.acquire();
        }
        // What a key that stays leads to depends on the others.
        for (SharedTerm key : former) {
            Cluster.unhang(node, formula, key);
        }
        node.hangsOn(List.copyOf(distinct));
        for (SharedTerm key : distinct) {
            Cluster.hang(node, formula, key);
        }
        for (SharedTerm key : former) {
            terms.release(key);
            rates.forgetUnused(key);
        }
        lastMove = move;
        moves++;
    }

    /// Reports how a subscriber's selector is found and tested, and what was observed of it. Writer
    /// only. The selector is observed from then on.
    ///
    /// @param entry not removed
    public SelectorReport report(SubscriberHandle<S> entry) {
        Node<S> node = Node.of(entry);
        tuner.adoptUnseen(node);
        return reporter.asked(node);
    }

    /// The selectors that matching spends most time on, the costliest first: of those that sampled
    /// messages led to, which [#tune] finds, and those that are scanned. Writer only.
    public List<SelectorReport> costliest(int count) {
        return tuner.costliest(count).stream().map(reporter::report).toList();
    }

    /// Number of times that a selector was found to have better access keys, and got them. Writer
    /// only.
    public long moves() {
        return moves;
    }

    /// Number of subscribers. Writer only.
    public int size() {
        return size;
    }

    /// Number of distinct selectors. Writer only.
    public int selectors() {
        return nodes.size();
    }

    /// Number of distinct atoms, and of values that they are found by. Writer only.
    public int terms() {
        return terms.size();
    }

    /// Number of names and header fields that selectors ask for. Writer only.
    public int probedSlots() {
        return probes.size();
    }
}
