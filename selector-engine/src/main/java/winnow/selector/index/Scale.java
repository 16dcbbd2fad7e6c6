package winnow.selector.index;

import java.util.Arrays;

/// Divides the numbers of one slot into cells that hold about as many ends of ranges each.
/// Immutable.
final class Scale {
    static final int CELLS = 64;

    /// Of a slot of which nothing is known.
    static final Scale ONE_CELL = new Scale(new double[0]);

    /// Ascending and different; the number of bounds that are not above a number is its cell.
    private final double[] bounds;

    private Scale(double[] bounds) {
        this.bounds = bounds;
    }

    /// @param ends of ranges, finite, in any order
    static Scale of(double[] ends) {
        double[] sorted = ends.clone();
        Arrays.sort(sorted);
        double[] bounds = new double[CELLS - 1];
        int count = 0;
        for (int i = 1; i < CELLS; i++) {
            double bound = sorted[(int) ((long) i * sorted.length / CELLS)];
            if (count == 0 || bound > bounds[count - 1]) {
                bounds[count++] = bound;
            }
        }
        return new Scale(Arrays.copyOf(bounds, count));
    }

    /// Below [#CELLS]; never lower for a higher number. Not for NaN.
    int cellOf(double number) {
        int at = Arrays.binarySearch(bounds, number + 0.0);
        return at >= 0 ? at + 1 : -at - 1;
    }

    /// How many cells there are.
    int cells() {
        return bounds.length + 1;
    }

    /// The lowest number of a cell, -infinity for the first.
    double lowest(int cell) {
        return cell == 0 || bounds.length == 0
                ? Double.NEGATIVE_INFINITY
                : bounds[Math.min(cell, bounds.length) - 1];
    }

    /// The lowest number above a cell, +infinity for the last.
    double limit(int cell) {
        return cell >= bounds.length ? Double.POSITIVE_INFINITY : bounds[cell];
    }
}
