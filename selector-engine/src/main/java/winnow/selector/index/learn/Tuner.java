package winnow.selector.index.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.node.Cluster;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.NodeStatistics;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.Term;

/// Looks after the selectors that messages lead to, or that cost something for every message: gives
/// them statistics, orders their operands, and finds better access keys. Writer only.
public final class Tuner {

    /// Number of selectors that have statistics at most, each 200 bytes to 6 KB.
    public static final int MAX_OBSERVED = 4_096;

    /// A selector gets other keys if they lead to it this many times less often; for less, the
    /// estimates are too rough and the change is not worth its cost.
    private static final double MUCH_BETTER = 4;

    /// A selector with so much effort, about ten terms, counts as two.
    private static final int EFFORT_PER_LOOK = 64;

    /// To see that there is nothing to look at takes a fraction of the time.
    private static final int GLANCES_PER_LOOK = 4;

    /// Fewer candidates tell too little.
    private static final int MIN_CANDIDATES = 16;

    private final IndexStatistics statistics;
    private final HitRates rates;
    private final ToDoubleFunction<Term> observedCost;
    private final Consumer<Term> want;
    private final List<Node<?>> hot = new ArrayList<>();
    private int nextSighting;
    private int nextHot;

    /// Nodes with statistics that are yet to be looked at since [#start].
    private int unlooked;

    private long messagesBefore;

    public Tuner(IndexStatistics statistics, HitRates rates) {
        this.statistics = statistics;
        this.rates = rates;
        this.observedCost = rates::observedCost;
        this.want = rates::want;
    }

    /// True if a message was sampled since the last time.
    public boolean hasNews() {
        return statistics.messages() != messagesBefore;
    }

    /// Begins to look at what the messages since the last time showed.
    public void start() {
        messagesBefore = statistics.messages();
        unlooked = hot.size();
        rates.turn();
    }

    /// Looks at some.
    ///
    /// @param budget how many selectors to look at, if they are small
    /// @param move called with a node and better keys for it
    public void tune(int budget, BiConsumer<Node<?>, AccessKeys> move) {
        for (int i = 0; i < budget; i++) {
            Node<?> sighted = statistics.takeSighting(nextSighting++);
            if (sighted != null) {
                adopt(sighted);
                if (sighted.statistics() == null) {
                    statistics.loseSighting();
                }
            }
        }
        int left = budget * GLANCES_PER_LOOK;
        for (; unlooked > 0 && left > 0 && !hot.isEmpty(); unlooked--) {
            nextHot = nextHot + 1 < hot.size() ? nextHot + 1 : 0;
            Node<?> node = hot.get(nextHot);
            left--;
            if (lookAt(node, move)) {
                left -= GLANCES_PER_LOOK * (1 + node.effort() / EFFORT_PER_LOOK);
            }
        }
    }

    /// Gives a node statistics, if there is room for more.
    public void adopt(Node<?> node) {
        adopt(node, statistics.messages());
    }

    /// The same for a node that hangs in the index already. No sampled message led to it unless it
    /// was sighted: those that lead somewhere are adopted when they do. Where a sighting was lost,
    /// it may have been of this node.
    public void adoptUnseen(Node<?> node) {
        long messages = statistics.messages();
        long unseen =
                statistics.isSighted(node)
                        ? 0
                        : Math.clamp(
                                statistics.messagesWithoutLoss(),
                                0,
                                node.samplesWhileUnobserved(messages));
        adopt(node, messages - Math.min(unseen, NodeStatistics.WINDOW / 2));
    }

    private void adopt(Node<?> node, long since) {
        if (node.statistics() == null && !node.isEmpty() && hot.size() < MAX_OBSERVED) {
            node.observe(new NodeStatistics(node, since, hot.size()));
            hot.add(node);
        }
    }

    /// True if there was enough to look at.
    private boolean lookAt(Node<?> node, BiConsumer<Node<?>, AccessKeys> move) {
        NodeStatistics observed = node.statistics();
        if (observed == null) {
            return false;
        }
        boolean crowded = hot.size() == MAX_OBSERVED;
        if (observed.isCold(statistics.messages(), crowded) && (crowded || !node.isScanned())) {
            forget(node);
            return false;
        }
        if (node.isExact() || observed.candidates() < MIN_CANDIDATES) {
            observed.decay(statistics.messages());
            return false;
        }
        observed.reorder(node);
        if (2 * observed.matches() < observed.candidates()) {
            wantRates(node.formula());
            AccessKeys better = better(node, observed);
            if (better != null) {
                move.accept(node, better);
                observeAnew(node, observed);
                return true;
            }
        }
        observed.decay(statistics.messages());
        return true;
    }

    private void observeAnew(Node<?> node, NodeStatistics observed) {
        node.observe(new NodeStatistics(node, statistics.messages(), observed.place()));
    }

    private @Nullable AccessKeys better(Node<?> node, NodeStatistics observed) {
        AccessKeys best = AccessKeys.of(node.formula(), observedCost);
        double rate = observed.candidateRate(statistics.messages());
        double cost = Term.cost(node.keys(), rate);
        return best.cost() * MUCH_BETTER < cost && !best.are(node.keySet()) ? best : null;
    }

    /// Asks for the rates that would have to be known to find better keys.
    private void wantRates(Formula formula) {
        formula.forEachTerm(want);
    }

    /// The node goes, or nothing leads to it any more.
    public void forget(Node<?> node) {
        NodeStatistics observed = node.statistics();
        if (observed == null) {
            return;
        }
        node.stopObserving(statistics.unobserved());
        Node<?> last = hot.removeLast();
        NodeStatistics ofLast = last.statistics();
        if (ofLast != null) {
            ofLast.place(observed.place());
            hot.set(observed.place(), last);
        }
    }

    /// The costliest first.
    public List<Node<?>> costliest(int count) {
        Comparator<Node<?>> byCost = Comparator.comparingDouble(this::nanosPerMessage);
        PriorityQueue<Node<?>> costliest = new PriorityQueue<>(byCost);
        for (Node<?> node : hot) {
            costliest.add(node);
            if (costliest.size() > count) {
                costliest.remove();
            }
        }
        return costliest.stream().sorted(byCost.reversed()).toList();
    }

    /// Nanoseconds that a node costs per message of the topic, 0 if it has no statistics.
    public double nanosPerMessage(Node<?> node) {
        NodeStatistics observed = node.statistics();
        if (observed == null) {
            return 0;
        }
        double nanos = observed.nanosPerCandidate() * observed.candidateRate(statistics.messages());
        for (SharedTerm key : node.keys()) {
            if (key.kind() == KeyKind.SCAN) {
                nanos += (double) key.effort() / Math.max(1, Cluster.size(key));
            }
        }
        return nanos;
    }
}
