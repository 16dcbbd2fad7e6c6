package winnow.selector.order;

/// Test of an operand.
///
/// @param <F> the operands
/// @param <C> what they are tested with
public interface OperandTest<F, C> {

    boolean test(F operand, C context);

    /// Rough duration of a test in nanoseconds, for operands that were not timed yet.
    int effort(F operand);
}
