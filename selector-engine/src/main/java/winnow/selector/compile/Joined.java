package winnow.selector.compile;

import java.util.List;
import winnow.selector.order.Junction;

/// Operands joined by AND or OR. Immutable, but for their order, which the selector's owner may
/// change.
abstract class Joined extends Predicate implements Junction<Predicate> {

    /// In the order in which they are tested.
    volatile Predicate[] operands;

    Joined(List<Predicate> operands) {
        this.operands = operands.toArray(Predicate[]::new);
    }

    @Override
    public final List<Predicate> operands() {
        return List.of(operands);
    }

    @Override
    public final void reorder(List<Predicate> reordered) {
        operands = reordered.toArray(Predicate[]::new);
    }
}
