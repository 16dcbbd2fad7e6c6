package winnow.selector.expression;

/// TRUE for a string that is `prefix` followed by nothing but digits, whose number lies in
/// `low..high`. It has no selector syntax; correlation-ID filters such as `[#7;#13]` produce it.
///
/// @param low smallest number, inclusive
/// @param high largest number, inclusive; [#UNBOUNDED] if there is none
/// @param width number of digits if the bounds are padded with zeros, else 0, and then a value with
///   leading zeros does not match
public record SuffixRange(Identifier identifier, String prefix, long low, long high, int width)
        implements Atom {

    /// No upper bound. Bounds have at most 18 digits, so no real bound has this value.
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /// A number of more digits, the first of which is not 0, is above every bound.
    public static final int MAX_DIGITS = 18;

    private static final long ABOVE_EVERY_BOUND = 1_000_000_000_000_000_000L;

    /// True if a number may have any number of digits.
    public boolean isLimitless() {
        return high == UNBOUNDED && width == 0;
    }

    public SuffixRange {
        if (low < 0 || high < -1 || width < 0) {
            throw new IllegalArgumentException("bounds of a suffix range are not negative");
        }
        if (low > ABOVE_EVERY_BOUND
                || (high != UNBOUNDED && high >= ABOVE_EVERY_BOUND)
                || width > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    "bounds of a suffix range have at most " + MAX_DIGITS + " digits");
        }
    }
}
