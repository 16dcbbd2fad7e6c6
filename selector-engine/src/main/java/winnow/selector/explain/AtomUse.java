package winnow.selector.explain;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;

/// Place of an atom in a condition. Immutable.
///
/// @param negated under an odd number of NOT, somewhere
/// @param matchedIfMissing names whose lack matches already, as in `region <> 'EU' OR region IS
///   NULL`, everywhere
record AtomUse(boolean negated, Set<Identifier> matchedIfMissing) {

    /// The atoms of a condition, in their order.
    static SequencedMap<Atom, AtomUse> of(Condition condition) {
        SequencedMap<Atom, AtomUse> atoms = new LinkedHashMap<>();
        collect(condition, new AtomUse(false, Set.of()), atoms);
        return atoms;
    }

    private static void collect(
            Condition condition, AtomUse use, SequencedMap<Atom, AtomUse> atoms) {
        switch (condition) {
            case And(List<Condition> operands) -> {
                AtomUse inner = use.negated ? use.among(operands) : use;
                operands.forEach(operand -> collect(operand, inner, atoms));
            }
            case Or(List<Condition> operands) -> {
                AtomUse inner = use.negated ? use : use.among(operands);
                operands.forEach(operand -> collect(operand, inner, atoms));
            }
            case Not(Condition operand) -> collect(operand, use.not(), atoms);
            case Atom atom -> atoms.merge(atom, use, AtomUse::and);
        }
    }

    private AtomUse not() {
        return new AtomUse(!negated, matchedIfMissing);
    }

    /// Of the operands of an OR; under NOT, of an AND.
    private AtomUse among(List<Condition> operands) {
        Set<Identifier> names = new HashSet<>(matchedIfMissing);
        for (Condition operand : operands) {
            switch (operand) {
                case IsNull(Identifier name) when !negated -> names.add(name);
                case Not(IsNull(Identifier name)) when negated -> names.add(name);
                default -> {}
            }
        }
        return new AtomUse(negated, names);
    }

    /// Of an atom that stands in two places.
    private AtomUse and(AtomUse other) {
        Set<Identifier> names = new HashSet<>(matchedIfMissing);
        names.retainAll(other.matchedIfMissing);
        return new AtomUse(negated || other.negated, names);
    }
}
