package winnow.selector.slot;

/// One int for a value of a message, so that many tests are an interval of ints: whether a value is
/// missing, which constant a string is, and roughly which number it is.
///
/// | code | value |
/// |---|---|
/// | [#MISSING] | none |
/// | [#OTHER] | strings that no selector mentions, booleans, NaN, and values that have no literal |
/// | above, negative | a string, by the number of its constant |
/// | not negative | a number, in the order of numbers |
///
/// Different numbers may have the same code: it has 31 bits of the number as a float.
public final class ValueCode {
    public static final int MISSING = Integer.MIN_VALUE;
    public static final int OTHER = MISSING + 1;

    private static final int FIRST_CONSTANT = OTHER + 1;

    /// Of the numbers, half are below zero.
    private static final int ZERO = 1 << 30;

    private ValueCode() {}

    /// @param constant below 2^30, or [SlotValues#NO_CONSTANT]
    public static int ofConstant(int constant) {
        return constant < 0 ? OTHER : FIRST_CONSTANT + constant;
    }

    /// The code of a number of any type is that of the number as a float. -0.0 is 0.0.
    public static int ofNumber(float number) {
        if (Float.isNaN(number)) {
            return OTHER;
        }
        int bits = Float.floatToRawIntBits(number + 0.0f);
        int ordered = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
        return (ordered >> 1) + ZERO;
    }
}
