package winnow.selector.index;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Condition;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.index.node.Cluster;
import winnow.selector.index.node.Node;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.FormulaBuilder;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.Term;
import winnow.selector.index.term.Terms;

/// A subscriber that is being added to a [SelectorIndex], in as many steps as its selector needs:
/// first its terms are made, then its node is hung on the keys, last it becomes a subscriber of the
/// node. No message reaches it before. Writer only.
public final class Addition<S> {

    /// Joining terms to a formula is cheap: 20 terms of an effort of 3 count as one that is made.
    private static final int EFFORT_PER_TERM = 64;

    /// To take a term as a key that is there already is cheap.
    private static final int SHARED_PER_TERM = 8;

    private final SelectorIndex<S> index;
    private final Terms terms;
    private final S subscriber;
    private final FormulaBuilder builder;
    private @Nullable Formula complete;
    private @Nullable Node<S> node;

    /// Terms by which the node is to be found, once they are known, and the number of them that
    /// were turned into keys.
    private @Nullable AccessKeys access;

    private int turned;

    /// [SelectorIndex#addedNodes] when there was no node with the formula.
    private long unknownBefore;

    /// Keys of the node, each with one use, and how many of them it hangs on.
    private Set<SharedTerm> keys = Set.of();

    private int hung;
    private @Nullable SubscriberHandle<S> entry;

    Addition(SelectorIndex<S> index, Terms terms, Condition canonical, S subscriber) {
        this.index = index;
        this.terms = terms;
        this.subscriber = subscriber;
        this.builder = new FormulaBuilder(terms, canonical);
    }

    /// Goes on.
    ///
    /// @param budget how many terms to look at at most, a microsecond or two each
    /// @return whether there is more to do
    public boolean step(int budget) {
        if (entry != null) {
            return false;
        }
        try {
            return !isAddedWithin(budget);
        } catch (RuntimeException | Error e) {
            undo();
            throw e;
        }
    }

    private boolean isAddedWithin(int budget) {
        int left = budget;
        while (!builder.isComplete()) {
            if (--left < 0) {
                return false;
            }
            builder.step();
        }
        Formula formula = complete;
        if (formula == null) {
            formula = builder.formula();
            complete = formula;
            left -= formula.effort() / EFFORT_PER_TERM;
        }
        if (left < 0) {
            return false;
        }
        AccessKeys found = access;
        if (found == null) {
            Node<S> known = index.find(formula);
            if (known != null) {
                builder.abandon();
                entry = index.subscribe(known, subscriber);
                return true;
            }
            unknownBefore = index.addedNodes();
            found = index.access(formula);
            access = found;
            left -= formula.effort() / EFFORT_PER_TERM;
        }
        return isHungWithin(left, formula, found);
    }

    private boolean isHungWithin(int budget, Formula formula, AccessKeys found) {
        int left = budget;
        for (; turned < found.terms().size(); turned++) {
            Term term = found.terms().get(turned);
            boolean free = term instanceof SharedTerm && turned % SHARED_PER_TERM != 0;
            if (!free && --left < 0) {
                return false;
            }
            addKey(terms.shared(term, found.exact()));
        }
        Node<S> made = node;
        if (made == null) {
            made = index.newNode(formula, List.copyOf(keys), found.exact());
            node = made;
        }
        List<SharedTerm> all = made.keys();
        for (; hung < all.size(); hung++) {
            if (--left < 0) {
                return false;
            }
            Cluster.hang(made, formula, all.get(hung));
        }
        entry = index.subscribe(index.complete(made, formula, unknownBefore), subscriber);
        return true;
    }

    /// Nearly all nodes have one key, for which a set that grows would be much.
    private void addKey(SharedTerm key) {
        if (keys.contains(key)) {
            return;
        }
        if (keys.isEmpty()) {
            keys = Set.of(key);
        } else {
            if (keys.size() == 1) {
                keys = new LinkedHashSet<>(keys);
            }
            keys.add(key);
        }
        key.acquire();
    }

    private void undo() {
        Node<S> made = node;
        if (made == null) {
            keys.forEach(terms::release);
            builder.abandon();
        } else {
            index.undo(made, made.keys().subList(0, hung));
        }
    }

    /// The handle to remove the subscriber.
    ///
    /// @throws IllegalStateException if there is more to do
    public SubscriberHandle<S> entry() {
        SubscriberHandle<S> added = entry;
        if (added == null) {
            throw new IllegalStateException("the subscriber is still being added");
        }
        return added;
    }
}
