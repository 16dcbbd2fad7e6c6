package winnow.selector.order;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The sampled tests of the operands of one junction: per operand a word in which bit i says
/// whether it was true in sample i. The words of all junctions of a formula have the same samples,
/// so a nested junction can be ordered for the samples that get to it.
final class OperandSamples<F, C> {

    /// A new order must save this part of the time, so that noise does not move operands back and
    /// forth.
    private static final double CLEARLY = 0.1;

    /// It must also save this much, about the cost of a mispredicted branch: processors predict
    /// best while selectors of one shape have one order. With 2, 1000 selectors of nine shapes took
    /// 12.9 ns each instead of 11.3; see ManyShapesBenchmark.
    private static final float WORTHWHILE_NANOS = 4;

    /// A measured time counts as at most this much above twice the mean: a test that is
    /// interrupted, or the first to look at a string, takes much longer than usual.
    private static final float LONGER_NANOS = 16;

    /// Cost of testing one operand on top of its own time. It also keeps the noise of short times
    /// from deciding.
    private static final float STEP_NANOS = 3;

    private final Junction<F> junction;
    private final boolean conjunction;
    private final OperandTest<F, C> test;
    private final LongSupplier clock;
    private final List<F> operands;

    /// By operand; null for those that are no junctions.
    private final List<@Nullable OperandSamples<F, C>> nested;

    /// Number of the first operand among all of the formula, those of nested junctions included.
    private final int first;

    private final int count;
    private final long[] passed;

    /// Mean duration of a test, negative until one was timed.
    private final float[] nanos;

    /// The operands' numbers in the order in which they are tested now. Owner only.
    private int[] order;

    private OperandSamples(
            Junction<F> junction, OperandTest<F, C> test, LongSupplier clock, int first) {
        this.junction = junction;
        this.conjunction = junction.isConjunction();
        this.test = test;
        this.clock = clock;
        this.operands = junction.operands();
        this.first = first;
        this.nested = new ArrayList<>();
        int next = first + operands.size();
        for (F operand : operands) {
            OperandSamples<F, C> inner = of(operand, test, clock, next);
            nested.add(inner);
            next += inner == null ? 0 : inner.count;
        }
        this.count = next - first;
        this.passed = new long[operands.size()];
        this.nanos = new float[operands.size()];
        this.order = new int[operands.size()];
        for (int i = 0; i < order.length; i++) {
            nanos[i] = -1;
            order[i] = i;
        }
    }

    @SuppressWarnings("unchecked") // The operands of a junction of F are F.
    static <F, C> @Nullable OperandSamples<F, C> of(
            F formula, OperandTest<F, C> test, LongSupplier clock, int first) {
        return formula instanceof Junction<?> junction && !junction.operands().isEmpty()
                ? new OperandSamples<>((Junction<F>) junction, test, clock, first)
                : null;
    }

    /// Number of operands, those of nested junctions included.
    int count() {
        return count;
    }

    /// @param timed number of the operand to time
    boolean test(C context, long sample, int timed) {
        boolean result = conjunction;
        long bit = 1L << sample;
        for (int i = 0; i < passed.length; i++) {
            F operand = operands.get(i);
            OperandSamples<F, C> inner = nested.get(i);
            boolean pass;
            if (first + i == timed) {
                pass = timed(i, operand, context);
            } else {
                pass = inner == null && test.test(operand, context);
            }
            if (inner != null) {
                pass = inner.test(context, sample, timed);
            }
            passed[i] = pass ? passed[i] | bit : passed[i] & ~bit;
            if (pass != conjunction) {
                result = pass;
            }
        }
        return result;
    }

    private boolean timed(int i, F operand, C context) {
        long start = clock.getAsLong();
        boolean pass = test.test(operand, context);
        float took = Math.max(0, clock.getAsLong() - start - ClockCost.NANOS);
        float mean = nanos[i];
        if (mean < 0) {
            nanos[i] = Math.min(took, ClockCost.LONG_NANOS);
        } else {
            nanos[i] = mean + (Math.min(took, 2 * mean + LONGER_NANOS) - mean) / 8;
        }
        return pass;
    }

    /// @param valid the samples there are
    /// @param reached those of them in which this junction is tested
    boolean reorder(long valid, long reached) {
        long alive = reached == 0 ? valid : reached;
        int[] better = greedy(alive);
        double saved = expected(order, alive) - expected(better, alive);
        boolean changed = saved >= WORTHWHILE_NANOS && saved > CLEARLY * expected(order, alive);
        if (changed) {
            order = better;
            List<F> reordered = new ArrayList<>();
            for (int i : better) {
                reordered.add(operands.get(i));
            }
            junction.reorder(reordered);
        }
        for (int i : order) {
            OperandSamples<F, C> inner = nested.get(i);
            if (inner != null) {
                changed |= inner.reorder(valid, alive);
            }
            alive = undecided(i, alive);
        }
        return changed;
    }

    /// Next is always the operand that decides most of the samples left for its time.
    private int[] greedy(long reached) {
        int[] result = order.clone();
        long alive = reached;
        for (int at = 0; at < result.length; at++) {
            int best = at;
            for (int candidate = at + 1; candidate < result.length; candidate++) {
                if (price(result[candidate], alive) < price(result[best], alive)) {
                    best = candidate;
                }
            }
            int chosen = result[best];
            System.arraycopy(result, at, result, at + 1, best - at);
            result[at] = chosen;
            alive = undecided(chosen, alive);
        }
        return result;
    }

    /// Nanoseconds per sample decided; half a sample more keeps it finite.
    private double price(int i, long alive) {
        int decided = Long.bitCount(alive & ~undecided(i, alive));
        return nanos(i) * (Long.bitCount(alive) + 1) / (decided + 0.5);
    }

    private long undecided(int i, long alive) {
        return conjunction ? alive & passed[i] : alive & ~passed[i];
    }

    private double nanos(int i) {
        return STEP_NANOS + (nanos[i] < 0 ? test.effort(operands.get(i)) : nanos[i]);
    }

    double expectedNanos(long samples) {
        return samples == 0 ? 0 : expected(order, samples);
    }

    private double expected(int[] candidate, long reached) {
        double sum = 0;
        long alive = reached;
        for (int i : candidate) {
            sum += nanos(i) * Long.bitCount(alive);
            alive = undecided(i, alive);
        }
        return sum / Long.bitCount(reached);
    }

    List<Samples.Operand<F>> report(long valid) {
        List<Samples.Operand<F>> report = new ArrayList<>();
        for (int i : order) {
            OperandSamples<F, C> inner = nested.get(i);
            report.add(
                    new Samples.Operand<>(
                            operands.get(i),
                            valid == 0
                                    ? null
                                    : (double) Long.bitCount(passed[i] & valid)
                                            / Long.bitCount(valid),
                            nanos[i] < 0 ? null : (double) nanos[i],
                            inner == null ? List.of() : inner.report(valid)));
        }
        return report;
    }
}
