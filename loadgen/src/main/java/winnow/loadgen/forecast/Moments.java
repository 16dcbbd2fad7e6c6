package winnow.loadgen.forecast;

/// The first three moments about zero of a random number, such as the copies of a message or the
/// time that it takes. Immutable.
public record Moments(double first, double second, double third) {

    /// Of a number that is always the same.
    static Moments constant(double value) {
        return new Moments(value, value * value, value * value * value);
    }

    /// Of `fixed + factor * X`, where this is of X.
    public Moments scaled(double fixed, double factor) {
        var square = factor * factor;
        return new Moments(
                fixed + factor * first,
                fixed * fixed + 2 * fixed * factor * first + square * second,
                fixed * fixed * fixed
                        + 3 * fixed * fixed * factor * first
                        + 3 * fixed * square * second
                        + factor * square * third);
    }

    /// Of the sum of so many numbers like this one.
    ///
    /// @param number factorial moments of their number: E[N], E[N(N - 1)], E[N(N - 1)(N - 2)]
    Moments sum(Moments number) {
        return new Moments(
                number.first * first,
                number.first * second + number.second * first * first,
                number.first * third
                        + 3 * number.second * first * second
                        + number.third * first * first * first);
    }

    /// Standard deviation over mean.
    public double variation() {
        return Math.sqrt(Math.max(0, second / (first * first) - 1));
    }
}
