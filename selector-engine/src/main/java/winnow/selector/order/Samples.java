package winnow.selector.order;

import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Results of the last 64 sampled tests of a formula. In a sampled test every operand of every AND
/// and OR in it is tested, so that it is known how they go together, and one is timed.
///
/// Any number of threads test at the same time and may overwrite each other's records; one thread
/// creates it, reorders and reports. A test allocates nothing.
///
/// @param <F> formulas
/// @param <C> what they are tested with
public final class Samples<F, C> {

    /// Larger formulas are not sampled: 256 operands take 5 KB and, when sampled, about 1 us.
    static final int MAX_OPERANDS = 256;

    /// A sampled test of more operands than this happens the less often, so that one in 256 costs
    /// less than 1 ns per test in the mean: 64 operands take about 200 ns.
    private static final int CHEAP_OPERANDS = 64;

    /// Fewer tell too little to change an order.
    private static final int MIN_SAMPLES = 16;

    private final F formula;
    private final OperandTest<F, C> test;
    private final OperandSamples<F, C> operands;
    private final int operandCount;
    private int tests;
    private long samples;

    private Samples(F formula, OperandTest<F, C> test, OperandSamples<F, C> operands) {
        this.formula = formula;
        this.test = test;
        this.operands = operands;
        this.operandCount = operands.count();
    }

    /// Null if the formula is not a junction, or too large.
    public static <F, C> @Nullable Samples<F, C> of(F formula, OperandTest<F, C> test) {
        return of(formula, test, System::nanoTime);
    }

    /// @param clock in nanoseconds
    static <F, C> @Nullable Samples<F, C> of(
            F formula, OperandTest<F, C> test, LongSupplier clock) {
        OperandSamples<F, C> operands = OperandSamples.of(formula, test, clock, 0);
        return operands == null || operands.count() > MAX_OPERANDS
                ? null
                : new Samples<>(formula, test, operands);
    }

    /// Tests the formula and records what its operands were. Any thread.
    public boolean test(C context) {
        tests++;
        if (operandCount > CHEAP_OPERANDS && tests % (operandCount / CHEAP_OPERANDS + 1) != 0) {
            return test.test(formula, context);
        }
        long sample = samples++;
        return operands.test(context, sample, (int) (sample % operandCount));
    }

    /// Reorders the operands, if that makes the tests that were sampled clearly cheaper; returns
    /// whether it did. One thread.
    public boolean reorder() {
        return samples() >= MIN_SAMPLES && operands.reorder(valid(), valid());
    }

    /// Number of the last tests that are recorded, up to 64.
    public int samples() {
        return (int) Math.min(samples, Long.SIZE);
    }

    /// Estimated duration of a test of the whole formula in the present order, in nanoseconds.
    public double nanos() {
        return operands.expectedNanos(valid());
    }

    /// Statistics of the operands of the formula, in their present order.
    public List<Operand<F>> operands() {
        return operands.report(valid());
    }

    private long valid() {
        return samples() == Long.SIZE ? -1L : (1L << samples()) - 1;
    }

    /// @param passRate part of the sampled tests in which it was true, null if there are none
    /// @param nanos mean duration of a test, null if it was not timed yet
    /// @param operands if it is a junction
    public record Operand<F>(
            F formula,
            @Nullable Double passRate,
            @Nullable Double nanos,
            List<Operand<F>> operands) {

        public Operand {
            operands = List.copyOf(operands);
        }
    }
}
