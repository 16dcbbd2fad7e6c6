package winnow.selector.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
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

    /// More than most formulas have.
    private static final int MANY_PARTS = 6;

    private final Terms terms;
    private final HitRates rates;
    private final Consumer<Node<?>> taken;
    private final ArrayDeque<Node<?>> nodes = new ArrayDeque<>();

    /// The node that is being taken apart, with what is left of it.
    private @Nullable Node<?> current;

    /// Of the current node. Null if there is but one key, which seldom needs it.
    private @Nullable Formula formula;

    private List<SharedTerm> keys = List.of();
    private int unhung;

    /// The parts of the formula whose terms are yet to be given back, the next one last.
    private List<Formula> parts = List.of();

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
        if (unhung < keys.size()) {
            SharedTerm key = keys.get(unhung++);
            Cluster.unhang(node, formula, key);
            release(key);
        } else if (!parts.isEmpty()) {
            Formula part = parts.removeLast();
            if (part instanceof Term term) {
                release(term);
            } else {
                addOperands((Formula.Joined) part);
            }
        } else {
            current = null;
            formula = null;
            parts = List.of();
            taken.accept(node);
        }
        return true;
    }

    private void release(Term term) {
        terms.release(term);
        rates.forgetUnused(term);
    }

    private void addOperands(Formula.Joined joined) {
        for (int i = 0; i < joined.size(); i++) {
            parts.add(joined.operand(i));
        }
    }

    private @Nullable Node<?> next() {
        Node<?> node = nodes.poll();
        current = node;
        if (node != null) {
            keys = node.keys();
            unhung = 0;
            formula = keys.size() == 1 ? null : node.formula();
            parts = new ArrayList<>(MANY_PARTS);
            node.addOperandsTo(parts);
        }
        return node;
    }
}
