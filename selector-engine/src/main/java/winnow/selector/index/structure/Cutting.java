package winnow.selector.index.structure;

import java.util.Arrays;

/// Bounds that cut the numbers into cells. Immutable.
public final class Cutting {
    /// One less than a power of two; NaN, which no number reaches, follows the bounds.
    private final double[] bounds;

    /// @param ascending the bounds, different
    /// @param cells a power of two that is more than there are bounds
    public Cutting(double[] ascending, int cells) {
        bounds = Arrays.copyOf(ascending, cells - 1);
        Arrays.fill(bounds, ascending.length, cells - 1, Double.NaN);
    }

    /// Number of bounds that are not above a number. Halves without branches, because nobody could
    /// predict them.
    public int boundsUpTo(double number) {
        int at = 0;
        for (int step = (bounds.length + 1) / 2; step > 0; step /= 2) {
            at += bounds[at + step - 1] <= number ? step : 0;
        }
        return at;
    }
}
