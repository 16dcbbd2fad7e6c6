package winnow.loadgen.model;

/// A range that holds a time in seconds, or a ratio of two, with 95 % confidence. Immutable.
public record Interval(double low, double high) {

    /// Whether the measurements leave open that the parameter is zero. The fit never goes below
    /// zero, so the lower end is then exactly zero.
    public boolean containsZero() {
        return low <= 0;
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
