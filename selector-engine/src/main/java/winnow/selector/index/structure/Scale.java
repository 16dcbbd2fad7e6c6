package winnow.selector.index.structure;

import java.util.Arrays;

/// Divides the numbers of one slot into cells that hold about as many ends of ranges each.
/// Immutable.
public final class Scale {
    public static final int CELLS = 64;

    /// Of a slot of which nothing is known.
    static final Scale ONE_CELL = new Scale(new double[0], 1);

    /// So many ends ask for a group of cells of their own, so that a group leads to some hundred
    /// selectors: fewer are slower to find than to pass over in a block.
    private static final int ENDS_PER_GROUP = 512;

    /// Ascending and different; the number of bounds that are not above a number is its cell.
    private final double[] bounds;

    private final int groups;

    private Scale(double[] bounds, int groups) {
        this.bounds = bounds;
        this.groups = groups;
    }

    /// @param ends of ranges, finite, in any order
    /// @param count how many ends there are, of which these are some
    static Scale of(double[] ends, int count) {
        double[] sorted = ends.clone();
        Arrays.sort(sorted);
        double[] bounds = new double[CELLS - 1];
        int bound = 0;
        for (int i = 1; i < CELLS; i++) {
            double end = sorted[(int) ((long) i * sorted.length / CELLS)];
            if (bound == 0 || end > bounds[bound - 1]) {
                bounds[bound++] = end;
            }
        }
        return new Scale(Arrays.copyOf(bounds, bound), groupsFor(count));
    }

    private static int groupsFor(int count) {
        return Integer.highestOneBit(Math.clamp(count / ENDS_PER_GROUP, 1, CELLS));
    }

    /// Into how many groups of cells the numbers are divided at most, a power of two.
    public int groups() {
        return groups;
    }

    /// Below [#CELLS]; never lower for a higher number. Not for NaN.
    public int cellOf(double number) {
        int at = Arrays.binarySearch(bounds, number + 0.0);
        return at >= 0 ? at + 1 : -at - 1;
    }

    /// How many cells there are.
    public int cells() {
        return bounds.length + 1;
    }

    /// The lowest number of a cell, -infinity for the first.
    public double lowest(int cell) {
        return cell == 0 || bounds.length == 0
                ? Double.NEGATIVE_INFINITY
                : bounds[Math.min(cell, bounds.length) - 1];
    }

    /// The lowest number above a cell, +infinity for the last.
    public double limit(int cell) {
        return cell >= bounds.length ? Double.POSITIVE_INFINITY : bounds[cell];
    }
}
