package winnow.selector.index.node;

import winnow.selector.index.term.TestWriter;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.ValueCode;

/// Tests what a node asks of a message, besides its key, by a few ints which [RowWriter] wrote side
/// by side: without the node, its formula, its terms and their predicates, each of which is likely
/// to be a cache miss.
///
/// | test | ints |
/// |---|---|
/// | a string is a constant, or differs from it | head, constant |
/// | a string is one of some constants | head, their number, constants |
/// | there is a value, and it is none of some constants | the same |
/// | a number is in a range, or is one outside of it | head, low and high as [ValueCode#order] |
/// | there is a value, and it is no number in a range | the same |
/// | a value is missing | head |
/// | a term, which is tested once per message | head, its number |
/// | nothing, or what only the formula can tell | head |
/// | the tests of an alternative follow | head, which has their length |
///
/// A head has the kind in its lowest bits, two flags and the slot. Any thread tests; whatever the
/// ints are, a test ends and reads nothing but the row, slots of the message and terms. A slot that
/// the message does not hold yet has no value: the node is newer than the message then.
public final class RowTests {
    public static final int FALSE = 0;
    public static final int TRUE = 1;

    /// Only the formula can tell.
    public static final int UNSURE = 2;

    static final int KIND = 15;
    static final int ALWAYS = 0;
    static final int ASK = 1;
    static final int EQUAL = 2;
    static final int DIFFERS = 3;
    static final int ONE_OF = 4;
    static final int RANGE = 5;
    static final int MISSING = 6;
    static final int TERM = 7;
    static final int OUTSIDE = 8;

    /// Before an alternative that is not the last one: where the next one begins.
    static final int ALTERNATIVE = 9;

    static final int NONE_OF = 10;
    static final int NOT_IN_RANGE = 11;

    /// Instead of the first head: the tests are not here.
    static final int ELSEWHERE = -1;

    static final int RANGE_INTS = 3;

    /// The last test of the row, or of an alternative.
    static final int LAST = 16;

    /// Of a range that holds both its floats: see
    /// [winnow.selector.compile.NumberRange#holdsItsFloats].
    static final int CLOSED = 32;

    static final int SLOT_SHIFT = 6;
    static final int MAX_SLOT = 1 << 25;

    static final int MAX_CONSTANTS = TestWriter.MAX_CONSTANTS;

    /// Ints that must follow the last row of an array that changes while it is read.
    static final int PADDING = MAX_CONSTANTS + 2;

    /// A float has all whole numbers up to this one.
    private static final long MAX_WHOLE = 1 << 24;

    private RowTests() {}

    /// Rows that begin with ranges, as most with numbers do, are decided by these alone, unless a
    /// number is very near to a bound.
    ///
    /// @param row where its ints begin
    /// @param end where they end, if not before
    static int test(int[] ints, int row, int end, SlotValues values, NodeVisitor matching) {
        int[] codes = values.codes();
        int at = row;
        int head = ints[at];
        while ((head & KIND) == RANGE && at + RANGE_INTS <= end) {
            int slot = head >>> SLOT_SHIFT;
            int code = slot < codes.length ? codes[slot] : ValueCode.MISSING;
            int low = ValueCode.ofOrder(ints[at + 1]);
            int high = ValueCode.ofOrder(ints[at + 2]);
            if (code < low || code > high) {
                return FALSE;
            }
            if (code == low || code == high) {
                break;
            }
            if ((head & LAST) != 0) {
                return TRUE;
            }
            at += RANGE_INTS;
            head = ints[at];
        }
        return testRest(ints, at, end, values, matching);
    }

    private static int testRest(
            int[] ints, int row, int end, SlotValues values, NodeVisitor matching) {
        int result = TRUE;
        int at = row;
        int nextAlternative = 0;
        while (at < end) {
            int head = ints[at];
            int one = testOne(ints, at, values, matching);
            if ((head & KIND) == ALTERNATIVE) {
                nextAlternative = at + 1 + (head >>> SLOT_SHIFT);
            }
            at += length(ints, at);
            if (one == FALSE) {
                if (nextAlternative == 0) {
                    return FALSE;
                }
                at = Math.max(at, nextAlternative);
                nextAlternative = 0;
                result = TRUE;
                continue;
            }
            result = Math.max(result, one);
            if ((head & LAST) != 0) {
                return result;
            }
        }
        return UNSURE;
    }

    private static int testOne(int[] ints, int at, SlotValues values, NodeVisitor matching) {
        int slot = ints[at] >>> SLOT_SHIFT;
        return switch (ints[at] & KIND) {
            case EQUAL -> of(constant(values, slot) == ints[at + 1]);
            case RANGE -> range(ints, at, values);
            case ONE_OF -> of(isOneOf(constant(values, slot), ints, at));
            case NONE_OF ->
                    of(!isMissing(values, slot) && !isOneOf(constant(values, slot), ints, at));
            case DIFFERS -> of(differs(values, slot, ints[at + 1]));
            case MISSING -> of(isMissing(values, slot));
            case OUTSIDE -> outside(ints, at, values);
            case NOT_IN_RANGE -> notInRange(ints, at, values);
            case TERM -> matching.asked(ints[at + 1], values);
            case ASK -> UNSURE;
            default -> TRUE;
        };
    }

    private static int of(boolean result) {
        return result ? TRUE : FALSE;
    }

    /// Ints of one test of a row.
    static int length(int[] ints, int test) {
        return switch (ints[test] & KIND) {
            case EQUAL, DIFFERS, TERM -> 2;
            case ONE_OF, NONE_OF -> 2 + count(ints, test);
            case RANGE, OUTSIDE, NOT_IN_RANGE -> RANGE_INTS;
            default -> 1;
        };
    }

    private static int constant(SlotValues values, int slot) {
        return values.holds(slot) ? values.constant(slot) : SlotValues.NO_CONSTANT;
    }

    private static boolean differs(SlotValues values, int slot, int constant) {
        return values.holds(slot)
                && values.constant(slot) != constant
                && values.kind(slot) == SlotValues.STRING;
    }

    /// Number of constants that a test names; the row may be changed just now.
    private static int count(int[] ints, int test) {
        return Math.clamp(ints[test + 1], 0, MAX_CONSTANTS);
    }

    private static boolean isOneOf(int constant, int[] ints, int test) {
        boolean found = false;
        int end = test + 2 + count(ints, test);
        for (int i = test + 2; i < end; i++) {
            found |= ints[i] == constant;
        }
        return found;
    }

    private static int code(SlotValues values, int slot) {
        int[] codes = values.codes();
        return slot < codes.length ? codes[slot] : ValueCode.MISSING;
    }

    /// The number rounded to float, NaN if the value is none.
    static float number(SlotValues values, int slot) {
        if (!values.holds(slot)) {
            return Float.NaN;
        }
        byte kind = values.kind(slot);
        return kind == SlotValues.EXACT
                ? (float) values.exact(slot)
                : kind > SlotValues.EXACT ? (float) values.approximate(slot) : Float.NaN;
    }

    private static boolean isMissing(SlotValues values, int slot) {
        return !values.holds(slot) || !values.isPresent(slot);
    }

    private static int range(int[] ints, int at, SlotValues values) {
        int slot = ints[at] >>> SLOT_SHIFT;
        int code = code(values, slot);
        int lowCode = ValueCode.ofOrder(ints[at + 1]);
        int highCode = ValueCode.ofOrder(ints[at + 2]);
        if (code > lowCode && code < highCode) {
            return TRUE;
        }
        if (code < lowCode || code > highCode) {
            return FALSE;
        }
        float low = ValueCode.numberOf(ints[at + 1]);
        float high = ValueCode.numberOf(ints[at + 2]);
        float number = number(values, slot);
        if (number > low && number < high) {
            return TRUE;
        }
        if (!(number >= low && number <= high)) {
            return FALSE;
        }
        return (ints[at] & CLOSED) != 0 && isUnrounded(number, slot, values) ? TRUE : UNSURE;
    }

    /// Nothing is said of a number that equals a bound.
    private static int outside(int[] ints, int at, SlotValues values) {
        float low = ValueCode.numberOf(ints[at + 1]);
        float high = ValueCode.numberOf(ints[at + 2]);
        float number = number(values, ints[at] >>> SLOT_SHIFT);
        if (number < low || number > high) {
            return TRUE;
        }
        return number == low || number == high ? UNSURE : FALSE;
    }

    private static int notInRange(int[] ints, int at, SlotValues values) {
        if (code(values, ints[at] >>> SLOT_SHIFT) == ValueCode.MISSING) {
            return FALSE;
        }
        return switch (range(ints, at, values)) {
            case TRUE -> FALSE;
            case FALSE -> TRUE;
            default -> UNSURE;
        };
    }

    /// True if a number is what a slot has.
    static boolean isUnrounded(float number, int slot, SlotValues values) {
        return values.kind(slot) == SlotValues.EXACT
                ? Math.abs(number) <= MAX_WHOLE && (long) number == values.exact(slot)
                : number == values.approximate(slot);
    }
}
