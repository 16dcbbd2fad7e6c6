package winnow.loadgen.model;

/// Where a parameter lies with 95 % confidence, in seconds. Immutable.
public record Interval(double low, double high) {

    /// Whether the measurements leave open that the parameter is zero. The fit never goes below
    /// zero, so the lower end is then exactly zero.
    public boolean containsZero() {
        return low <= 0;
    }
}
