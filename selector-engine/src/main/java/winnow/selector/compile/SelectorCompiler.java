package winnow.selector.compile;

import java.util.ArrayList;
import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.slot.SlotRegistry;

/// Compiles conditions for the slots of one topic, by the equations in the package's description.
/// Used by the thread that owns the slots. Recursion is as deep as conditions nest, which
/// [winnow.selector.check.SelectorLimits] bounds.
public final class SelectorCompiler {

    private final AtomCompiler atoms;

    public SelectorCompiler(SlotRegistry slots) {
        this.atoms = new AtomCompiler(slots);
    }

    /// T(condition)
    public Predicate whenTrue(Condition condition) {
        return switch (condition) {
            case And(List<Condition> operands) -> allOf(operands);
            case Or(List<Condition> operands) -> AnyOf.of(allWhenTrue(operands));
            case Not(Condition operand) -> whenFalse(operand);
            case Atom atom -> atoms.whenTrue(atom);
        };
    }

    /// F(condition)
    public Predicate whenFalse(Condition condition) {
        return switch (condition) {
            case And(List<Condition> operands) -> AnyOf.of(allWhenFalse(operands));
            case Or(List<Condition> operands) -> AllOf.of(allWhenFalse(operands));
            case Not(Condition operand) -> whenTrue(operand);
            case Atom atom -> atoms.whenFalse(atom);
        };
    }

    /// True if a name has a value that every comparison with a number is FALSE for, `<>` apart: one
    /// that is not a number, or NaN.
    public Predicate notANumber(Identifier identifier) {
        return atoms.notANumber(identifier);
    }

    private Predicate allOf(List<Condition> operands) {
        Identifier bounded = NumberBounds.commonName(operands);
        return bounded == null
                ? AllOf.of(allWhenTrue(operands))
                : atoms.interval(bounded, NumberBounds.range(operands));
    }

    private List<Predicate> allWhenTrue(List<Condition> operands) {
        List<Predicate> predicates = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            predicates.add(whenTrue(operand));
        }
        return predicates;
    }

    private List<Predicate> allWhenFalse(List<Condition> operands) {
        List<Predicate> predicates = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            predicates.add(whenFalse(operand));
        }
        return predicates;
    }
}
