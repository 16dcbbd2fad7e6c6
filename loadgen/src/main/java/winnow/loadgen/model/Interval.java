package winnow.loadgen.model;

/// A range that holds a time in seconds, or a ratio of two, with 95 % confidence. Immutable.
public record Interval(double low, double high) {

    /// True if the measurements leave open that the parameter is zero. The fit never goes below
    /// zero, so the lower end is then exactly zero.
    public boolean containsZero() {
        return low <= 0;
    }

    /// Ends that differ by more say no more than one value alone.
    private static final double WIDEST = 100;

    /// True if it says something: both ends are numbers, and where it does not reach down to zero,
    /// the upper one is not many times the lower one.
    public boolean isTelling() {
        return Double.isFinite(low)
                && Double.isFinite(high)
                && (containsZero() || high / low <= WIDEST);
    }

    /// The same where the values may have been measured too large by a share, 0.1 for a tenth.
    public Interval lowered(double share) {
        return new Interval(low / (1 + share), high);
    }

    /// True if a value lies in it, the ends included.
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
