package winnow.selector.slot;

/// Holds results of an evaluation that do not fit in a return value, so that it needs no
/// allocation. Owned by the event loop whose [SlotValues] holds it.
public final class Scratch {

    /// Words of the state of a `WildPart`: 1,024 characters of three bytes.
    public static final int WORDS = 48;

    /// The result of arithmetic if its kind is EXACT.
    public long exact;

    /// True if an exact result is an int, which it then fits.
    public boolean isInt;

    /// The result of arithmetic if its kind is FLOAT (a widened float) or DOUBLE.
    public double approximate;

    public final long[] words = new long[WORDS];

    /// Bytes of strings that evaluations have gone through one by one, 1 to 3 ns each, and an
    /// eighth of those that were looked up in pieces; of all messages so far. Only these make the
    /// test of a condition take more than some nanoseconds.
    public long scannedBytes;

    /// Java's numeric promotion of an exact number against a float or a double. A float is returned
    /// widened, after it has been rounded to float.
    public static double widen(long exact, boolean toDouble) {
        return toDouble ? (double) exact : (double) (float) exact;
    }
}
