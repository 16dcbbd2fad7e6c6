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

    public SuffixRange {
        if (low < 0 || high < -1 || width < 0) {
            throw new IllegalArgumentException("bounds of a suffix range are not negative");
        }
    }
}
