package winnow.selector.index.term;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.slot.SlotValues;

/// A formula in the form that takes least heap, for those who keep many. It has no object around
/// it, so whoever keeps one has an Object that only this class looks into:
///
/// | formula | kept as |
/// |---|---|
/// | ranges, and equalities with constants, joined by AND | an int[], see [PackedAnd] |
/// | any other AND of terms, of which one is the only key | the others as a Term[] |
/// | any other AND | its operands as a Formula[] |
/// | a range that is found by its own bounds | its [NumberTerm], which is there anyway |
/// | all else | itself |
///
/// An equality that is the only key is left out of an AND: whoever comes to a node by it knows that
/// it is true. A node that has got other keys is kept with it, because messages that are being
/// matched then may come by none.
///
/// Never change what is kept.
public final class CompactFormula {
    private CompactFormula() {}

    /// @param keys of a node with this formula, which had no others before
    public static Object of(Formula formula, List<SharedTerm> keys) {
        if (formula instanceof Formula.AllOf all && all.operands.length > 0) {
            Formula[] others = keys.size() == 1 ? others(all.operands, keys.getFirst()) : null;
            if (others == null) {
                return whole(formula);
            }
            int[] packed = PackedAnd.of(others, true);
            return packed == null ? others : packed;
        }
        if (formula instanceof RangeTerm range
                && keys.getFirst() instanceof NumberTerm key
                && key.hasBoundsOf(range)) {
            return key;
        }
        return formula;
    }

    /// The same with all operands of an AND, for a node that has had other keys.
    static Object whole(Formula formula) {
        if (formula instanceof Formula.AllOf all && all.operands.length > 0) {
            int[] packed = PackedAnd.of(all.operands, false);
            return packed == null ? all.operands : packed;
        }
        return formula;
    }

    /// The same order of the same operands as before, the key apart.
    ///
    /// @param before what was kept until now
    public static Object reordered(Object before, Formula formula, List<SharedTerm> keys) {
        return isWithoutKey(before) ? of(formula, keys) : whole(formula);
    }

    /// The compact form with all operands of an AND.
    public static Object whole(Object compact, List<SharedTerm> keys) {
        return isWithoutKey(compact) ? whole(formula(compact, keys)) : compact;
    }

    private static boolean isWithoutKey(Object compact) {
        return compact instanceof int[] packed
                ? PackedAnd.isWithoutKey(packed)
                : compact instanceof Term[];
    }

    /// The operands without a key; null if they are not all terms, or the key is not just one of
    /// them. An AND may have a term twice: some names share a slot.
    private static Term @Nullable [] others(Formula[] operands, SharedTerm key) {
        if (!(key instanceof ConstantTerm)) {
            return null;
        }
        Term[] others = new Term[operands.length - 1];
        int count = 0;
        for (Formula operand : operands) {
            if (operand.equals(key)) {
                continue;
            }
            if (!(operand instanceof Term other) || count == others.length) {
                return null;
            }
            others[count++] = other;
        }
        return count == 0 || count < others.length ? null : others;
    }

    /// The formula; what is packed and every AND is made anew each time, a key that was left out
    /// first. Writer only.
    ///
    /// @param keys of the node
    public static Formula formula(Object compact, List<SharedTerm> keys) {
        if (compact instanceof int[] packed) {
            Formula[] operands = PackedAnd.operands(packed, keys.getFirst().probe);
            return new Formula.AllOf(
                    isWithoutKey(packed) ? with(keys.getFirst(), operands) : operands);
        }
        if (compact instanceof Formula[] operands) {
            return new Formula.AllOf(
                    isWithoutKey(operands) ? with(keys.getFirst(), operands) : operands);
        }
        return compact instanceof NumberTerm key ? key.range() : (Formula) compact;
    }

    /// Adds the operands of an AND to a list, a key that was left out last, or else the formula.
    /// Takes less time than to make the formula. Writer only.
    ///
    /// @param keys of the node
    public static void addOperands(Object compact, List<SharedTerm> keys, List<Formula> to) {
        if (compact instanceof int[] packed) {
            PackedAnd.addOperands(packed, keys.getFirst().probe, to);
        } else if (compact instanceof Formula[] operands) {
            Collections.addAll(to, operands);
        } else {
            to.add(formula(compact, keys));
        }
        if (isWithoutKey(compact)) {
            to.add(keys.getFirst());
        }
    }

    private static Formula[] with(SharedTerm key, Formula[] others) {
        Formula[] operands = new Formula[others.length + 1];
        operands[0] = key;
        System.arraycopy(others, 0, operands, 1, others.length);
        return operands;
    }

    /// [Formula#effort] of what is kept. Any thread.
    public static int effort(Object compact) {
        if (compact instanceof int[] packed) {
            return PackedAnd.effort(packed);
        }
        return compact instanceof Formula[] operands
                ? Formula.Joined.effort(operands)
                : ((Formula) compact).effort();
    }

    /// [Formula#test] for a message for which a key that was left out is true. Any thread;
    /// allocates nothing.
    public static boolean test(Object compact, SlotValues values, TermVisitor matching) {
        if (compact instanceof int[] packed) {
            return PackedAnd.test(packed, values);
        }
        return compact instanceof Formula[] operands
                ? Formula.AllOf.areTrue(operands, values, matching)
                : ((Formula) compact).test(values, matching);
    }
}
