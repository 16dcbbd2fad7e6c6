package winnow.selector.check;

/// Limits of one selector. Whatever is above a limit is refused with the name of the limit, before
/// memory or stack is spent on it.
///
/// @param maxTextLength characters (UTF-16 units) of the text
/// @param maxOperands identifiers and literals outside IN lists, so the leaves of the expression;
///   inner nodes can only outnumber them by NOT and signs, which the text length bounds
/// @param maxDepth how deep parentheses, NOT and signs nest; 256 levels need less than 512 KiB of
///   stack
/// @param maxInValues values of one IN list
/// @param maxFloatingPart characters of a part of a LIKE pattern that has `%` on both sides and
///   contains `_`; such a part is searched in time (length of the value) x (length of the part) /
///   64; at most 1024
/// @param maxStringBytes longest string, in bytes of UTF-8, that a message may have for a name;
///   whoever evaluates selectors sees to that
/// @param maxScannedBytes how many bytes of strings one evaluation may go through, 1 to 3 ns each:
///   see [winnow.selector.check.ScanBudget]
public record SelectorLimits(
        int maxTextLength,
        int maxOperands,
        int maxDepth,
        int maxInValues,
        int maxFloatingPart,
        int maxStringBytes,
        int maxScannedBytes) {

    public static final SelectorLimits DEFAULT =
            new SelectorLimits(65_536, 10_000, 256, 32_768, 1_024, 32_768, 4_194_304);

    /// For a text that was accepted before, whatever it may go through.
    public static final SelectorLimits ACCEPTED = DEFAULT.withScans(1, Integer.MAX_VALUE);

    public SelectorLimits {
        if (maxTextLength < 1
                || maxOperands < 1
                || maxDepth < 1
                || maxInValues < 1
                || maxFloatingPart < 1
                || maxStringBytes < 1
                || maxScannedBytes < 1) {
            throw new IllegalArgumentException("every limit of a selector is at least 1");
        }
        if (maxFloatingPart > 1_024) {
            throw new IllegalArgumentException("maxFloatingPart is at most 1024");
        }
    }

    /// The same limits with other ones of what an evaluation may go through.
    public SelectorLimits withScans(int newMaxStringBytes, int newMaxScannedBytes) {
        return new SelectorLimits(
                maxTextLength,
                maxOperands,
                maxDepth,
                maxInValues,
                maxFloatingPart,
                newMaxStringBytes,
                newMaxScannedBytes);
    }
}
