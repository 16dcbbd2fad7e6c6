package winnow.selector.explain;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.Truth;

/// The atoms that decide the value of a condition for a message. With any other values of the
/// remaining atoms the condition has the same value.
final class Decision {

    private final Map<Atom, Truth> atoms;

    private Decision(Map<Atom, Truth> atoms) {
        this.atoms = atoms;
    }

    /// @param atoms the value of each atom of the condition
    static SequencedSet<Atom> of(Condition condition, Map<Atom, Truth> atoms) {
        SequencedSet<Atom> deciding = new LinkedHashSet<>();
        new Decision(atoms).collect(condition, deciding);
        return deciding;
    }

    private void collect(Condition condition, SequencedSet<Atom> deciding) {
        switch (condition) {
            case And(List<Condition> operands) -> collect(operands, Truth.FALSE, deciding);
            case Or(List<Condition> operands) -> collect(operands, Truth.TRUE, deciding);
            case Not(Condition operand) -> collect(operand, deciding);
            case Atom atom -> deciding.add(atom);
        }
    }

    /// One operand with the value that decides alone is enough. Else those that are UNKNOWN keep
    /// the whole from being anything else, or all have the same value.
    private void collect(List<Condition> operands, Truth strongest, SequencedSet<Atom> deciding) {
        for (Condition operand : operands) {
            if (truth(operand) == strongest) {
                collect(operand, deciding);
                return;
            }
        }
        boolean unknown = operands.stream().anyMatch(o -> truth(o) == Truth.UNKNOWN);
        for (Condition operand : operands) {
            if (!unknown || truth(operand) == Truth.UNKNOWN) {
                collect(operand, deciding);
            }
        }
    }

    private Truth truth(Condition condition) {
        return switch (condition) {
            case And(List<Condition> operands) -> truth(operands, Truth.FALSE, Truth.TRUE);
            case Or(List<Condition> operands) -> truth(operands, Truth.TRUE, Truth.FALSE);
            case Not(Condition operand) ->
                    switch (truth(operand)) {
                        case TRUE -> Truth.FALSE;
                        case FALSE -> Truth.TRUE;
                        case UNKNOWN -> Truth.UNKNOWN;
                    };
            case Atom atom -> atoms.getOrDefault(atom, Truth.UNKNOWN);
        };
    }

    private Truth truth(List<Condition> operands, Truth strongest, Truth weakest) {
        Truth result = weakest;
        for (Condition operand : operands) {
            Truth truth = truth(operand);
            if (truth == strongest) {
                return truth;
            }
            result = truth == Truth.UNKNOWN ? truth : result;
        }
        return result;
    }
}
