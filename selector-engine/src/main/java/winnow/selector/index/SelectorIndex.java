package winnow.selector.index;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import winnow.selector.Selector;
import winnow.selector.SlotValues;
import winnow.selector.Slots;
import winnow.selector.simplify.CanonicalForm;

/// The selectors of one topic with their subscribers. Identical selectors are evaluated once, and a
/// message is compared only with selectors that its values lead to.
///
/// One writer, the topic's owner, adds and removes. Any number of threads match at the same time,
/// without locks and without allocation, each with its own [SlotValues] and [Matching]. A message
/// whose values were reset after [#add] returned reaches the new subscriber; one that begins to
/// match after [#remove] returned does not reach the removed one; in between either may happen.
///
/// @param <S> the subscribers, whatever they are
public final class SelectorIndex<S> {

    private final Slots slots;
    private final Probes probes;
    private final Terms terms;
    private final Reporter reporter;
    private final Numbers nodeNumbers = new Numbers();
    private Map<Formula, Node<S>> nodes = new HashMap<>();
    private int size;

    /// The nodes that match everything, as content of a [Cluster].
    private volatile @Nullable Object always;

    /// Numbers of terms and nodes are below these.
    private volatile int termLimit;

    private volatile int nodeLimit;

    public SelectorIndex() {
        this(ThreadLocalRandom.current().nextLong());
    }

    /// @param hashSeed makes the hash of strings unpredictable for those who send them
    public SelectorIndex(long hashSeed) {
        this.slots = new Slots(hashSeed);
        this.probes = new Probes(hashSeed);
        this.terms = new Terms(slots, probes);
        this.reporter = new Reporter(slots);
    }

    /// The names and constants that the selectors use; the same for the life of the index.
    public Slots slots() {
        return slots;
    }

    /// Adds a subscriber, also one that is there already, which is then called once more. Writer
    /// only.
    ///
    /// @param selector null to get every message
    public Entry<S> add(@Nullable Selector selector, S subscriber) {
        Formula formula =
                selector == null
                        ? Formula.AllOf.ALWAYS
                        : terms.formula(CanonicalForm.of(selector.expression()));
        Node<S> node = nodes.get(formula);
        if (node == null) {
            node = newNode(formula);
        } else {
            formula.forEachTerm(terms::release);
        }
        Entry<S> entry = new Entry<>(subscriber, node);
        node.add(entry);
        size++;
        return entry;
    }

    private Node<S> newNode(Formula formula) {
        AccessKeys keys =
                formula.equals(Formula.AllOf.ALWAYS) ? AccessKeys.NONE : AccessKeys.of(formula);
        keys.terms().forEach(Term::acquire);
        int number = nodeNumbers.take();
        termLimit = terms.numbers().limit();
        nodeLimit = nodeNumbers.limit();
        boolean termReused = terms.numbers().takeReused();
        boolean nodeReused = nodeNumbers.takeReused();
        int version = termReused || nodeReused ? slots.publishNext() : slots.publish();
        Node<S> node = new Node<>(formula, keys, number, version);
        nodes.put(formula, node);
        if (formula.equals(Formula.AllOf.ALWAYS)) {
            always = Cluster.with(always, node);
        }
        for (Term key : keys.terms()) {
            key.hang(node);
        }
        return node;
    }

    /// Removes a subscriber; does nothing the second time. Writer only.
    public void remove(Entry<S> entry) {
        if (!entry.remove()) {
            return;
        }
        Node<S> node = entry.node();
        node.remove(entry);
        size--;
        if (node.isEmpty()) {
            dispose(node);
        }
    }

    private void dispose(Node<S> node) {
        Formula formula = node.formula();
        nodes.remove(formula);
        if (nodes.isEmpty()) {
            // A hash map never shrinks.
            nodes = new HashMap<>();
        }
        if (formula.equals(Formula.AllOf.ALWAYS)) {
            always = Cluster.without(always, node);
        }
        for (Term key : node.keys()) {
            key.unhang(node);
            terms.release(key);
        }
        formula.forEachTerm(terms::release);
        nodeNumbers.giveBack(node.number());
        slots.publish();
    }

    /// Calls the sink once for each subscriber whose selector is TRUE for the message; those of one
    /// selector in the order in which they were added. Any thread.
    ///
    /// @param values of the message, made for [#slots]
    public void match(SlotValues values, Matching matching, MatchSink<? super S> sink) {
        assert values.areFor(slots) : "values of another topic";
        matching.<S>begin(values, sink, termLimit, nodeLimit);
        Object all = always;
        if (all != null) {
            matching.nodes(all);
        }
        probes.probe(values, matching);
        matching.end();
    }

    /// How a subscriber's selector is found and tested, and what was observed of it. Writer only.
    ///
    /// @param entry not removed
    public SelectorReport report(Entry<S> entry) {
        return reporter.report(entry.node());
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
        return terms.numbers().size();
    }

    /// Number of names and header fields that messages are looked up by. Writer only.
    public int probedSlots() {
        return probes.size();
    }
}
