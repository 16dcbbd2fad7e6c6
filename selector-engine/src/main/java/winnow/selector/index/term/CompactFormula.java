package winnow.selector.index.term;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberInRange;
import winnow.selector.index.lookup.SlotProbe;
import winnow.selector.slot.SlotValues;

/// A formula in the form that takes least heap, for those who keep many. It has no object around
/// it, so whoever keeps one has an Object that only this class looks into:
///
/// | formula | kept as |
/// |---|---|
/// | ranges, and equalities with constants, joined by AND | an int[], see below |
/// | any other AND of terms, of which one is the only key | the others as a Term[] |
/// | any other AND | its operands as a Formula[] |
/// | a range that is found by its own bounds | its [NumberTerm], which is there anyway |
/// | all else | itself |
///
/// An equality that is the only key is left out of an AND: whoever comes to a node by it knows that
/// it is true. A node that has got other keys is kept with it, because messages that are being
/// matched then may come by none.
///
/// Of an int[] each operand has a head, which is its slot and its kind, and then the number of a
/// constant, or the bounds of a range: one int each if they are floats or next to floats, as those
/// of `x > 5` are, else two. Never change what is kept.
public final class CompactFormula {
    private static final int SLOT_SHIFT = 5;
    private static final int MAX_SLOT = 1 << (Integer.SIZE - 1 - SLOT_SHIFT);

    private static final int KIND = 3;
    private static final int CONSTANT = 0;
    private static final int FLOATS = 1;
    private static final int DOUBLES = 2;

    /// The lower bound is the next double above the float.
    private static final int ABOVE = 4;

    /// The upper bound is the next double below the float.
    private static final int BELOW = 8;

    /// In the first head: the only key is left out.
    private static final int WITHOUT_KEY = 16;

    /// By kind.
    private static final int[] LENGTHS = {2, 3, 5};

    private static final int EFFORT_OF_RANGE = 3;

    private CompactFormula() {}

    /// @param keys of a node with this formula, which had no others before
    public static Object of(Formula formula, List<SharedTerm> keys) {
        if (formula instanceof Formula.AllOf all && all.operands.length > 0) {
            Formula[] others = keys.size() == 1 ? others(all.operands, keys.getFirst()) : null;
            if (others == null) {
                return whole(formula);
            }
            int[] packed = packed(others);
            if (packed != null) {
                packed[0] |= WITHOUT_KEY;
            }
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
            int[] packed = packed(all.operands);
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

    /// What is kept with all operands of an AND.
    public static Object whole(Object compact, List<SharedTerm> keys) {
        return isWithoutKey(compact) ? whole(formula(compact, keys)) : compact;
    }

    private static boolean isWithoutKey(Object compact) {
        return compact instanceof int[] packed
                ? (packed[0] & WITHOUT_KEY) != 0
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

    private static int @Nullable [] packed(Formula[] operands) {
        int length = 0;
        boolean ranges = false;
        for (Formula operand : operands) {
            int kind = kind(operand);
            if (kind < 0) {
                return null;
            }
            ranges |= kind != CONSTANT;
            length += LENGTHS[kind & KIND];
        }
        if (!ranges) {
            // References to terms are smaller.
            return null;
        }
        int[] packed = new int[length];
        int at = 0;
        for (Formula operand : operands) {
            at = write((Term) operand, packed, at);
        }
        return packed;
    }

    /// With flags; negative if an operand cannot be packed.
    private static int kind(Formula operand) {
        if (operand instanceof ConstantTerm constant && constant.probe.slot() < MAX_SLOT) {
            return CONSTANT;
        }
        if (operand instanceof RangeTerm range
                && range.differing == null
                && range.probe.slot() < MAX_SLOT) {
            int above = isFloat(range.low) ? 0 : ABOVE;
            int below = isFloat(range.high) ? 0 : BELOW;
            return isFloat(lowFloat(range, above)) && isFloat(highFloat(range, below))
                    ? FLOATS | above | below
                    : DOUBLES;
        }
        return -1;
    }

    private static boolean isFloat(double bound) {
        return (float) bound == bound;
    }

    private static double lowFloat(RangeTerm range, int flags) {
        return (flags & ABOVE) == 0 ? range.low : Math.nextDown(range.low);
    }

    private static double highFloat(RangeTerm range, int flags) {
        return (flags & BELOW) == 0 ? range.high : Math.nextUp(range.high);
    }

    /// @return where the next operand goes
    private static int write(Term operand, int[] packed, int from) {
        int kind = kind(operand);
        int at = from;
        packed[at++] = operand.probe.slot() << SLOT_SHIFT | kind;
        if (operand instanceof ConstantTerm constant) {
            packed[at++] = constant.constant();
        } else if (operand instanceof RangeTerm range && (kind & KIND) == FLOATS) {
            packed[at++] = Float.floatToRawIntBits((float) lowFloat(range, kind));
            packed[at++] = Float.floatToRawIntBits((float) highFloat(range, kind));
        } else if (operand instanceof RangeTerm range) {
            at = write(range.low, packed, at);
            at = write(range.high, packed, at);
        }
        return at;
    }

    private static int write(double bound, int[] packed, int at) {
        long bits = Double.doubleToRawLongBits(bound);
        packed[at] = (int) (bits >> Integer.SIZE);
        packed[at + 1] = (int) bits;
        return at + 2;
    }

    private static double low(int[] packed, int operand) {
        int head = packed[operand];
        if ((head & KIND) == DOUBLES) {
            return bound(packed, operand + 1);
        }
        double low = Float.intBitsToFloat(packed[operand + 1]);
        return (head & ABOVE) == 0 ? low : Math.nextUp(low);
    }

    private static double high(int[] packed, int operand) {
        int head = packed[operand];
        if ((head & KIND) == DOUBLES) {
            return bound(packed, operand + 3);
        }
        double high = Float.intBitsToFloat(packed[operand + 2]);
        return (head & BELOW) == 0 ? high : Math.nextDown(high);
    }

    private static double bound(int[] packed, int at) {
        long bits = (long) packed[at] << Integer.SIZE | Integer.toUnsignedLong(packed[at + 1]);
        return Double.longBitsToDouble(bits);
    }

    /// The formula; what is packed and every AND is made anew each time, a key that was left out
    /// first. Writer only.
    ///
    /// @param keys of the node
    public static Formula formula(Object compact, List<SharedTerm> keys) {
        if (compact instanceof int[] packed) {
            Formula[] operands = operands(packed, keys.getFirst().probe);
            return new Formula.AllOf(
                    isWithoutKey(packed) ? with(keys.getFirst(), operands) : operands);
        }
        if (compact instanceof Formula[] operands) {
            return new Formula.AllOf(
                    isWithoutKey(operands) ? with(keys.getFirst(), operands) : operands);
        }
        return compact instanceof NumberTerm key ? key.range() : (Formula) compact;
    }

    private static Formula[] with(SharedTerm key, Formula[] others) {
        Formula[] operands = new Formula[others.length + 1];
        operands[0] = key;
        System.arraycopy(others, 0, operands, 1, others.length);
        return operands;
    }

    /// @param any a probe of the index
    private static Formula[] operands(int[] packed, SlotProbe any) {
        int count = 0;
        for (int at = 0; at < packed.length; at += LENGTHS[packed[at] & KIND]) {
            count++;
        }
        Formula[] operands = new Formula[count];
        int at = 0;
        for (int i = 0; i < count; i++, at += LENGTHS[packed[at] & KIND]) {
            SlotProbe probe = any.of(packed[at] >>> SLOT_SHIFT);
            operands[i] =
                    (packed[at] & KIND) == CONSTANT
                            ? probe.requireConstant(packed[at + 1])
                            : new RangeTerm(probe, low(packed, at), high(packed, at), null);
        }
        return operands;
    }

    /// [Formula#effort] of what is kept. Any thread.
    public static int effort(Object compact) {
        if (compact instanceof int[] packed) {
            return effort(packed);
        }
        return compact instanceof Formula[] operands
                ? Formula.Joined.effort(operands)
                : ((Formula) compact).effort();
    }

    private static int effort(int[] packed) {
        int effort = 0;
        for (int at = 0; at < packed.length; at += LENGTHS[packed[at] & KIND]) {
            effort += (packed[at] & KIND) == CONSTANT ? 1 : EFFORT_OF_RANGE;
        }
        return effort;
    }

    /// [Formula#test] for a message for which a key that was left out is true. Any thread;
    /// allocates nothing.
    public static boolean test(Object compact, SlotValues values, TermVisitor matching) {
        if (compact instanceof int[] packed) {
            return test(packed, values);
        }
        return compact instanceof Formula[] operands
                ? Formula.AllOf.areTrue(operands, values, matching)
                : ((Formula) compact).test(values, matching);
    }

    private static boolean test(int[] packed, SlotValues values) {
        for (int at = 0; at < packed.length; at += LENGTHS[packed[at] & KIND]) {
            int slot = packed[at] >>> SLOT_SHIFT;
            boolean is =
                    (packed[at] & KIND) == CONSTANT
                            ? values.constant(slot) == packed[at + 1]
                            : NumberInRange.test(
                                    values, slot, low(packed, at), high(packed, at), null);
            if (!is) {
                return false;
            }
        }
        return true;
    }
}
