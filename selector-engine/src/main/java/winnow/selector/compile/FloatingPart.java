package winnow.selector.compile;

import winnow.selector.slot.Scratch;

/// A part of a LIKE pattern between two `%`.
interface FloatingPart {

    /// The position after the leftmost occurrence within `from..to`, or -1 if there is none.
    int endOfFirst(byte[] text, int from, int to, Scratch scratch);

    /// Longest time of the search, in passes byte by byte.
    default int passes() {
        return 1;
    }
}
