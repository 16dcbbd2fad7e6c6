package winnow.selector.index;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import winnow.selector.SlotValues;

/// What a selector asks, two-valued: terms joined by AND and OR. Formulas over the same terms are
/// equal, whatever the order of their operands; that is how identical selectors are found.
/// Immutable.
abstract sealed class Formula permits Term, Formula.AllOf, Formula.AnyOf {

    /// Cheap operands first: they may decide. The second key only makes the order one.
    private static final Comparator<Formula> CHEAPEST_FIRST =
            Comparator.<Formula>comparingInt(Formula::effort).thenComparingInt(Object::hashCode);

    abstract boolean test(SlotValues values, Matching matching);

    /// Rough cost of a test in nanoseconds.
    abstract int effort();

    /// Calls the consumer for each use of a term.
    abstract void forEachTerm(Consumer<Term> consumer);

    private static Formula[] sorted(List<Formula> operands) {
        Formula[] sorted = operands.toArray(Formula[]::new);
        Arrays.sort(sorted, CHEAPEST_FIRST);
        return sorted;
    }

    private static int effort(Formula[] operands) {
        int effort = 0;
        for (Formula operand : operands) {
            effort += operand.effort();
        }
        return effort;
    }

    /// True if all operands are; stops at the first that is not.
    static final class AllOf extends Formula {

        /// TRUE as a whole: the conjunction of nothing.
        static final Formula ALWAYS = new AllOf(List.of());

        private final Formula[] operands;

        AllOf(List<Formula> operands) {
            this.operands = sorted(operands);
        }

        List<Formula> operands() {
            return List.of(operands);
        }

        @Override
        boolean test(SlotValues values, Matching matching) {
            for (Formula operand : operands) {
                if (!operand.test(values, matching)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        int effort() {
            return Formula.effort(operands);
        }

        @Override
        void forEachTerm(Consumer<Term> consumer) {
            for (Formula operand : operands) {
                operand.forEachTerm(consumer);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AllOf that && Arrays.equals(operands, that.operands);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(operands);
        }
    }

    /// True if one operand is; stops at the first that is.
    static final class AnyOf extends Formula {

        /// FALSE as a whole: the disjunction of nothing.
        static final Formula NEVER = new AnyOf(List.of());

        private final Formula[] operands;

        AnyOf(List<Formula> operands) {
            this.operands = sorted(operands);
        }

        List<Formula> operands() {
            return List.of(operands);
        }

        @Override
        boolean test(SlotValues values, Matching matching) {
            for (Formula operand : operands) {
                if (operand.test(values, matching)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        int effort() {
            return Formula.effort(operands);
        }

        @Override
        void forEachTerm(Consumer<Term> consumer) {
            for (Formula operand : operands) {
                operand.forEachTerm(consumer);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AnyOf that && Arrays.equals(operands, that.operands);
        }

        @Override
        public int hashCode() {
            return ~Arrays.hashCode(operands);
        }
    }
}
