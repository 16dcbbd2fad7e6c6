package winnow.selector.slot;

/// One int for a value of a message, so that many tests are an interval of ints: whether a value is
/// missing, which constant a string is, and roughly which number it is.
///
/// | code | value |
/// |---|---|
/// | [#MISSING] | none |
/// | [#OTHER] | strings that no selector mentions, booleans, NaN, and values that have no literal |
/// | above, negative | a string, by the number of its constant |
/// | [#NOT_LOOKED_UP] | a string whose constant was not asked for yet |
/// | not negative | a number, in the order of numbers |
///
/// Different numbers may have the same code: it has 31 bits of the number as a float.
public final class ValueCode {
    public static final int MISSING = Integer.MIN_VALUE;
    public static final int OTHER = MISSING + 1;
    public static final int NOT_LOOKED_UP = -1;

    private static final int FIRST_CONSTANT = OTHER + 1;
    private static final int MAX_CONSTANTS = 1 << 30;

    /// Of the numbers, half are below zero.
    private static final int ZERO = 1 << 30;

    private ValueCode() {}

    /// @param constant below 2^30, or [SlotValues#NO_CONSTANT]
    public static int ofConstant(int constant) {
        return constant < 0 ? OTHER : FIRST_CONSTANT + constant;
    }

    /// Number of the constant that has a code, or [SlotValues#NO_CONSTANT].
    public static int constant(int code) {
        int constant = code - FIRST_CONSTANT;
        return Integer.compareUnsigned(constant, MAX_CONSTANTS) < 0
                ? constant
                : SlotValues.NO_CONSTANT;
    }

    /// The code of a number of any type is that of the number as a float. -0.0 is 0.0.
    public static int ofNumber(float number) {
        if (Float.isNaN(number)) {
            return OTHER;
        }
        return ofOrder(order(number));
    }

    /// An int in the order of numbers. -0.0 is 0.0.
    ///
    /// @param number not NaN
    public static int order(float number) {
        return reordered(Float.floatToRawIntBits(number + 0.0f));
    }

    /// The number that has an [#order].
    public static float numberOf(int order) {
        return Float.intBitsToFloat(reordered(order));
    }

    /// The code of the number that has an [#order].
    public static int ofOrder(int order) {
        return (order >> 1) + ZERO;
    }

    /// Turns the bits of a float into ints of the same order, and back.
    private static int reordered(int bits) {
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }
}
