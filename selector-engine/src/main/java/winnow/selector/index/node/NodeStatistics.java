package winnow.selector.index.node;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.term.Formula;
import winnow.selector.order.OperandTest;
import winnow.selector.order.Samples;

/// Statistics of one node from sampled messages. Any thread records, without locks: counts may miss
/// some. The writer creates it, decays it and reads it.
public final class NodeStatistics {

    /// Approximate time to get to a node and its subscribers, in nanoseconds; with up to 1000
    /// selectors 18 to 40 were measured.
    private static final double CANDIDATE_NANOS = 20;

    private static final OperandTest<Formula, NodeVisitor> TEST =
            new OperandTest<>() {
                @Override
                public boolean test(Formula operand, NodeVisitor matching) {
                    return matching.test(operand);
                }

                @Override
                public int effort(Formula operand) {
                    return operand.effort();
                }
            };

    /// Counts are halved when they are of this many sampled messages, so that the last million
    /// messages decide.
    public static final int WINDOW = 4_096;

    private final Formula formula;
    private final boolean exact;

    /// Null if there is nothing to order.
    private final @Nullable Samples<Formula, NodeVisitor> samples;

    /// Number of the sampled message since which it counts.
    private long since;

    private int candidates;
    private int matches;

    /// Place at which the writer keeps it.
    private int place;

    public NodeStatistics(Node<?> node, long since, int place) {
        this.formula = node.formula();
        this.exact = node.isExact();
        this.samples = exact ? null : Samples.of(formula, TEST);
        this.since = since;
        this.place = place;
    }

    /// True if the formula is true for the message that is being matched, to which a key led.
    public boolean test(NodeVisitor matching) {
        candidates++;
        boolean matched =
                exact || (samples == null ? matching.test(formula) : samples.test(matching));
        if (matched) {
            matches++;
        }
        return matched;
    }

    /// Puts the operands in the order in which they cost least.
    ///
    /// @param node that it is the statistics of
    public void reorder(Node<?> node) {
        if (samples != null && samples.reorder()) {
            node.reorder(formula);
        }
    }

    public @Nullable Samples<Formula, NodeVisitor> samples() {
        return samples;
    }

    /// Number of sampled messages since it counts.
    public long window(long now) {
        return now - since;
    }

    /// Part of the sampled messages of which a key led here.
    public double candidateRate(long now) {
        return (double) candidates / Math.max(1, window(now));
    }

    public int candidates() {
        return candidates;
    }

    public int evaluations() {
        return exact ? 0 : candidates;
    }

    public int matches() {
        return matches;
    }

    /// Makes older messages weigh less.
    public void decay(long now) {
        if (window(now) > WINDOW) {
            candidates /= 2;
            matches /= 2;
            since = now - window(now) / 2;
        }
    }

    /// True if next to no message leads to the node.
    ///
    /// @param crowded whether others wait for the place
    public boolean isCold(long now, boolean crowded) {
        return crowded
                ? candidates < 2 && window(now) > WINDOW / 16
                : candidates == 0 && window(now) > WINDOW;
    }

    public int place() {
        return place;
    }

    public void place(int newPlace) {
        place = newPlace;
    }

    /// Mean duration of what happens when a key led to the node, in nanoseconds.
    public double nanosPerCandidate() {
        if (exact) {
            return CANDIDATE_NANOS;
        }
        double nanos = samples == null ? 0 : samples.nanos();
        return CANDIDATE_NANOS + (nanos > 0 ? nanos : formula.effort());
    }
}
