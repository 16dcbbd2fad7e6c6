package winnow.selector.index.term;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.compile.NumberInRange;
import winnow.selector.slot.SlotValues;

/// Ranges, and equalities with constants, that AND joins, as an int[] without an object around it.
/// Each operand has a head, which is its slot and its kind, and then the number of a constant, or
/// the bounds of a range: one int each if they are floats or next to floats, as those of `x > 5`
/// are, else two. An int[] is never changed once it is kept.
final class PackedAnd {
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

    private PackedAnd() {}

    /// Null if some operand is something else, or all are constants: references to their terms are
    /// smaller.
    ///
    /// @param withoutKey whether [#isWithoutKey] is to be true
    static int @Nullable [] of(Formula[] operands, boolean withoutKey) {
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
            return null;
        }
        int[] packed = new int[length];
        int at = 0;
        for (Formula operand : operands) {
            at = write((Term) operand, packed, at);
        }
        packed[0] |= withoutKey ? WITHOUT_KEY : 0;
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

    /// True if an equality is left out that is the only key of the node.
    static boolean isWithoutKey(int[] packed) {
        return (packed[0] & WITHOUT_KEY) != 0;
    }

    /// The operands, made anew. Writer only.
    ///
    /// @param any a probe of the index
    static Formula[] operands(int[] packed, SlotProbe any) {
        int count = 0;
        for (int at = 0; at < packed.length; at = after(packed, at)) {
            count++;
        }
        Formula[] operands = new Formula[count];
        int at = 0;
        for (int i = 0; i < count; i++, at = after(packed, at)) {
            operands[i] = operand(packed, at, any);
        }
        return operands;
    }

    /// Adds the operands, made anew, to a list. Writer only.
    ///
    /// @param any a probe of the index
    static void addOperands(int[] packed, SlotProbe any, List<Formula> to) {
        for (int at = 0; at < packed.length; at = after(packed, at)) {
            to.add(operand(packed, at, any));
        }
    }

    private static Term operand(int[] packed, int at, SlotProbe any) {
        SlotProbe probe = any.of(packed[at] >>> SLOT_SHIFT);
        return (packed[at] & KIND) == CONSTANT
                ? probe.requireConstant(packed[at + 1])
                : new RangeTerm(probe, low(packed, at), high(packed, at), null);
    }

    /// Index of the next operand.
    private static int after(int[] packed, int at) {
        return at + LENGTHS[packed[at] & KIND];
    }

    /// See [Formula#effort]. Any thread.
    static int effort(int[] packed) {
        int effort = 0;
        for (int at = 0; at < packed.length; at = after(packed, at)) {
            effort += (packed[at] & KIND) == CONSTANT ? 1 : EFFORT_OF_RANGE;
        }
        return effort;
    }

    /// See [Formula#test]. Any thread; allocates nothing.
    static boolean test(int[] packed, SlotValues values) {
        for (int at = 0; at < packed.length; at = after(packed, at)) {
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
