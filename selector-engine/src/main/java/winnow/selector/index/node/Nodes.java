package winnow.selector.index.node;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.LinkedTable;
import winnow.selector.index.term.Formula;

/// The nodes of an index by formula. Writer only.
public final class Nodes<S> {

    private final LinkedTable<Node<S>> table = new LinkedTable<>();

    /// The chain that has its turn to age.
    private int ageing;

    public int size() {
        return table.size();
    }

    public @Nullable Node<S> find(Formula formula) {
        int hash = formula.hashCode();
        Node<S> node = table.chain(hash);
        while (node != null && !(node.hash == hash && node.formula().equals(formula))) {
            node = node.next();
        }
        return node;
    }

    /// Adds a node whose formula no other has.
    public void add(Node<S> node) {
        table.add(node);
    }

    public void remove(Node<S> node) {
        table.remove(node);
    }

    /// Lets the nodes of one chain after the other know how new the slots are: see [Node#age].
    public void age(long version) {
        table.forEachOfChain(ageing++, node -> node.age(version));
    }
}
