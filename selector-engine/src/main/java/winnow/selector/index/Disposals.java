package winnow.selector.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.learn.HitRates;
import winnow.selector.index.node.Cluster;
import winnow.selector.index.node.Node;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.Term;
import winnow.selector.index.term.Terms;

/// Takes nodes apart that have no subscriber any more, some terms at a time. No message reaches
/// anybody by them meanwhile. Writer only.
final class Disposals {

    private final Terms terms;
    private final HitRates rates;
    private final Consumer<Node<?>> taken;
    private final ArrayDeque<Node<?>> nodes = new ArrayDeque<>();

    /// The node that is being taken apart, with what is left of it.
    private @Nullable Node<?> current;

    private Formula formula = Formula.AllOf.ALWAYS;
    private Iterator<SharedTerm> keys = List.<SharedTerm>of().iterator();

    /// The last of these is given back next.
    private List<Term> uses = List.of();

    /// @param taken called when nothing is left of a node
    Disposals(Terms terms, HitRates rates, Consumer<Node<?>> taken) {
        this.terms = terms;
        this.rates = rates;
        this.taken = taken;
    }

    void add(Node<?> node) {
        nodes.add(node);
    }

    /// @param budget how many terms to look at at most
    /// @return whether there is more to do
    boolean step(int budget) {
        for (int left = budget; left > 0; left--) {
            if (!terms.releaseOne() && !isOneLess()) {
                return false;
            }
        }
        return true;
    }

    /// Gives one term of a node back, if there is a node.
    private boolean isOneLess() {
        Node<?> node = current == null ? next() : current;
        if (node == null) {
            return false;
        }
        if (keys.hasNext()) {
            SharedTerm key = keys.next();
            Cluster.unhang(node, formula, key);
            terms.release(key);
            rates.forgetUnused(key);
        } else if (!uses.isEmpty()) {
            Term term = uses.removeLast();
            terms.release(term);
            rates.forgetUnused(term);
        } else {
            current = null;
            formula = Formula.AllOf.ALWAYS;
            taken.accept(node);
        }
        return true;
    }

    private @Nullable Node<?> next() {
        Node<?> node = nodes.poll();
        current = node;
        if (node != null) {
            formula = node.formula();
            uses = new ArrayList<>(formula.termCount());
            formula.forEachTerm(uses::add);
            keys = node.keys().iterator();
        }
        return node;
    }
}
