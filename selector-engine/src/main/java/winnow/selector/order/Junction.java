package winnow.selector.order;

import java.util.List;

/// An AND or OR of operands that may be tested in any order.
///
/// @param <F> the operands, of which some may be junctions
public interface Junction<F> {

    /// True if it is an AND, which one operand that is not true decides; else an OR, which one that
    /// is true does.
    boolean isConjunction();

    /// In the order in which they are tested.
    List<F> operands();

    /// Replaces the order at once for all readers. One thread.
    ///
    /// @param operands the same ones
    void reorder(List<F> operands);
}
