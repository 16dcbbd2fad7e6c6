package winnow.selector.index.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import winnow.selector.index.structure.Buckets;
import winnow.selector.order.Junction;
import winnow.selector.slot.Release;
import winnow.selector.slot.SlotValues;

/// Two-valued form of a selector: terms joined by AND and OR. Formulas over equal terms are equal,
/// whatever the order of their operands; that is how identical selectors are found. Immutable, but
/// for the order of operands, which the writer may change.
public abstract sealed class Formula permits Term, Formula.Joined {

    public abstract boolean test(SlotValues values, TermVisitor matching);

    /// The part that has to be true for a message that is found by one of its keys. The rest of it
    /// is found by others. The parts of all keys together are all of it, as long as the keys are
    /// the same.
    ///
    /// @param keys all that it is found by
    public Formula part(SharedTerm key, List<SharedTerm> keys) {
        return this;
    }

    /// True if a term may be a key of it.
    abstract boolean mayHaveKey(SharedTerm key);

    /// True if a key is true for every message for which this is.
    abstract boolean isFoundBy(SharedTerm key);

    /// The classes of a slot's values for which it may be true.
    ///
    /// @param buckets of the slot
    public abstract int mask(int slot, Buckets buckets);

    /// Rough cost of a test in nanoseconds.
    public abstract int effort();

    /// Number of uses of terms in it.
    public abstract int termCount();

    /// Calls the consumer for each use of a term.
    public abstract void forEachTerm(Consumer<Term> consumer);

    /// Operands joined by AND or OR.
    public abstract static sealed class Joined extends Formula implements Junction<Formula> {

        private static final Comparator<Formula> CHEAPEST_FIRST = Joined::compare;

        private static final VarHandle OPERANDS =
                Release.of(MethodHandles.lookup(), "operands", Formula[].class);

        /// So many operands at most are sorted by insertion. The library's sort took 5 % of the
        /// time in which 3,000 selectors of six equalities came and went.
        private static final int FEW = 8;

        /// In the order in which they are tested. Other threads than the writer's read them with
        /// [#acquiredOperands].
        Formula[] operands;

        private final int effort;

        private Joined(List<Formula> operands) {
            this(sorted(operands.toArray(Formula[]::new)));
        }

        private Joined(Formula[] operands) {
            this.operands = operands;
            this.effort = effort(operands);
        }

        static int effort(Formula[] operands) {
            int sum = 0;
            for (Formula operand : operands) {
                sum += operand.effort();
            }
            return sum;
        }

        /// Cheap operands first: they may decide. The second key only makes the order one.
        private static int compare(Formula one, Formula other) {
            int byEffort = Integer.compare(one.effort(), other.effort());
            return byEffort == 0 ? Integer.compare(one.hashCode(), other.hashCode()) : byEffort;
        }

        private static Formula[] sorted(Formula[] operands) {
            if (operands.length > FEW) {
                Arrays.sort(operands, CHEAPEST_FIRST);
                return operands;
            }
            for (int i = 1; i < operands.length; i++) {
                Formula operand = operands[i];
                int at = i;
                for (; at > 0 && compare(operands[at - 1], operand) > 0; at--) {
                    operands[at] = operands[at - 1];
                }
                operands[at] = operand;
            }
            return operands;
        }

        @Override
        public final List<Formula> operands() {
            return List.of(operands);
        }

        /// Number of [#operands].
        public final int size() {
            return operands.length;
        }

        /// One of [#operands], without a list of them. Writer only.
        public final Formula operand(int i) {
            return operands[i];
        }

        /// The operands, for any thread.
        final Formula[] acquiredOperands() {
            return (Formula[]) OPERANDS.getAcquire(this);
        }

        @Override
        public final void reorder(List<Formula> reordered) {
            OPERANDS.setRelease(this, reordered.toArray(Formula[]::new));
        }

        @Override
        final boolean mayHaveKey(SharedTerm key) {
            for (Formula operand : operands) {
                if (operand.mayHaveKey(key)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public final int effort() {
            return effort;
        }

        @Override
        public final int termCount() {
            int count = 0;
            for (Formula operand : operands) {
                count += operand.termCount();
            }
            return count;
        }

        @Override
        public final void forEachTerm(Consumer<Term> consumer) {
            for (Formula operand : operands) {
                operand.forEachTerm(consumer);
            }
        }

        final boolean hasSameOperands(Joined other) {
            return operands.length == other.operands.length
                    && Arrays.equals(sorted(operands.clone()), sorted(other.operands.clone()));
        }

        /// The same in any order; not linear, so that 1 and 4 are not 2 and 3.
        final int hashOfOperands() {
            int sum = 0;
            for (Formula operand : operands) {
                int hash = operand.hashCode();
                hash = (hash ^ hash >>> 16) * 0x85EB_CA6B;
                sum += (hash ^ hash >>> 13) * 0xC2B2_AE35;
            }
            return sum;
        }
    }

    /// True if all operands are; stops at the first that is not.
    public static final class AllOf extends Joined {

        /// TRUE as a whole: the conjunction of nothing.
        public static final Formula ALWAYS = new AllOf(List.of());

        AllOf(List<Formula> operands) {
            super(operands);
        }

        /// @param operands in their order; never changed
        AllOf(Formula[] operands) {
            super(operands);
        }

        @Override
        public boolean test(SlotValues values, TermVisitor matching) {
            return areTrue(acquiredOperands(), values, matching);
        }

        static boolean areTrue(Formula[] operands, SlotValues values, TermVisitor matching) {
            for (Formula operand : operands) {
                if (!operand.test(values, matching)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int mask(int slot, Buckets buckets) {
            int mask = Buckets.ALL;
            for (Formula operand : operands) {
                mask &= operand.mask(slot, buckets);
            }
            return mask;
        }

        @Override
        boolean isFoundBy(SharedTerm key) {
            for (Formula operand : operands) {
                if (operand.isFoundBy(key)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean isConjunction() {
            return true;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AllOf that && hasSameOperands(that);
        }

        @Override
        public int hashCode() {
            return hashOfOperands();
        }
    }

    /// True if one operand is; stops at the first that is.
    public static final class AnyOf extends Joined {

        /// With more keys, operands are not divided among them.
        private static final int MAX_COMPARED_KEYS = 16;

        /// FALSE as a whole: the disjunction of nothing.
        static final Formula NEVER = new AnyOf(List.of());

        AnyOf(List<Formula> operands) {
            super(operands);
        }

        @Override
        public boolean test(SlotValues values, TermVisitor matching) {
            for (Formula operand : acquiredOperands()) {
                if (operand.test(values, matching)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public int mask(int slot, Buckets buckets) {
            int mask = 0;
            for (Formula operand : operands) {
                mask |= operand.mask(slot, buckets);
            }
            return mask;
        }

        @Override
        public Formula part(SharedTerm key, List<SharedTerm> keys) {
            List<Formula> parts = new ArrayList<>();
            for (Formula operand : operands) {
                if (isAskedFor(operand, key, keys)) {
                    parts.add(operand.part(key, keys));
                }
            }
            return parts.size() == 1 ? parts.getFirst() : new AnyOf(parts);
        }

        /// An operand that several keys find is asked for the most telling one only. One that needs
        /// several keys, such as a list of strings, is asked for each that it may have.
        @SuppressWarnings("ReferenceEquality") // Keys are equal by identity.
        private static boolean isAskedFor(Formula operand, SharedTerm key, List<SharedTerm> keys) {
            SharedTerm best = null;
            if (keys.size() <= MAX_COMPARED_KEYS) {
                for (SharedTerm each : keys) {
                    if (operand.isFoundBy(each)
                            && (best == null || each.breadth() < best.breadth())) {
                        best = each;
                    }
                }
            }
            return best == null ? operand.mayHaveKey(key) : best == key;
        }

        @Override
        boolean isFoundBy(SharedTerm key) {
            for (Formula operand : operands) {
                if (!operand.isFoundBy(key)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean isConjunction() {
            return false;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AnyOf that && hasSameOperands(that);
        }

        @Override
        public int hashCode() {
            return ~hashOfOperands();
        }
    }
}
