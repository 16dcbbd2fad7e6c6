package winnow.client.transport.endpoint;

/// Bound of the rounds of attempts to connect. Immutable.
///
/// @param repeats rounds after the first one, -1 for any number
/// @param nanos time since the first began after which no further one begins, 0 for any time
public record RoundLimit(int repeats, long nanos) {
    /// So many rounds after the first one, -1 for any number, however long they take.
    public static RoundLimit of(int repeats) {
        return new RoundLimit(repeats, 0);
    }

    /// A pause, shortened to the time that is left.
    public long shortened(long pauseNanos, long spentNanos) {
        return nanos == 0 ? pauseNanos : Math.min(pauseNanos, Math.max(0, nanos - spentNanos));
    }

    /// True if another round may begin after so many in so much time.
    public boolean allowsAnother(int rounds, long spentNanos) {
        return (repeats < 0 || rounds <= repeats) && (nanos == 0 || spentNanos < nanos);
    }
}
