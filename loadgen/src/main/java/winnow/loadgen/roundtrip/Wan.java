package winnow.loadgen.roundtrip;

/// A wide-area network that a relay stands for. Immutable.
///
/// @param roundTripNanos delay of both directions together
/// @param bitsPerSecond of each direction; infinite for no limit
/// @param windowBytes that may be under way in a direction before their confirmation, which takes
///   the delay, too: the buffers of the TCP connection
public record Wan(long roundTripNanos, double bitsPerSecond, int windowBytes) {

    /// Of bandwidth times delay, as in the paper.
    private static final double WINDOW_FACTOR = 1.2;

    private static final int LEAST_WINDOW = 64 * 1024;
    private static final int LARGEST_WINDOW = 64 * 1024 * 1024;
    private static final double NANOS = 1e9;
    private static final int BITS_PER_BYTE = 8;

    public Wan {
        if (roundTripNanos < 0 || !(bitsPerSecond > 0) || windowBytes < 1) {
            throw new IllegalArgumentException(
                    "expected a delay from 0, a bandwidth and a window above 0, found %,d ns, %s"
                                    .formatted(roundTripNanos, bitsPerSecond)
                            + " bit/s and "
                            + windowBytes
                            + " bytes");
        }
    }

    /// With a window that the bandwidth and the delay need.
    public static Wan withoutWindow(long roundTripNanos, double bitsPerSecond) {
        var needed = WINDOW_FACTOR * bitsPerSecond / BITS_PER_BYTE * roundTripNanos / NANOS;
        return new Wan(
                roundTripNanos,
                bitsPerSecond,
                (int) Math.clamp(needed, LEAST_WINDOW, LARGEST_WINDOW));
    }

    /// Nanoseconds that so many bytes take to leave.
    long sendingNanos(int bytes) {
        return (long) (bytes * (double) BITS_PER_BYTE / bitsPerSecond * NANOS);
    }
}
