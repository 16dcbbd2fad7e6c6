package winnow.selector.index.structure;

import java.util.Arrays;

/// Divides the numbers of one slot into cells that hold about as many ends of ranges each.
/// Immutable.
public final class Scale {
    public static final int CELLS = 64;

    /// Of a slot of which nothing is known.
    public static final Scale ONE_CELL = new Scale(new double[0]);

    /// A cell that has so many times the ends that it should have is too wide.
    private static final int TOO_MANY = 3;

    /// Ascending and different; the number of bounds that are not above a number is its cell.
    private final double[] bounds;

    private final Cutting cutting;

    private Scale(double[] bounds) {
        this.bounds = bounds;
        this.cutting = new Cutting(bounds, CELLS);
    }

    /// @param ends of ranges, finite, in any order
    static Scale of(double[] ends) {
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
        return new Scale(Arrays.copyOf(bounds, bound));
    }

    /// True if the cells hold about as many of these ends each, as far as cells can: the ends of
    /// many ranges may be the same.
    boolean suits(double[] ends) {
        if (bounds.length == 0) {
            return false;
        }
        int[] counts = new int[CELLS];
        int[] atLowest = new int[CELLS];
        for (double end : ends) {
            int cell = cellOf(end);
            counts[cell]++;
            atLowest[cell] += end == lowest(cell) ? 1 : 0;
        }
        for (int cell = 0; cell < CELLS; cell++) {
            if ((counts[cell] - atLowest[cell]) * CELLS > TOO_MANY * ends.length) {
                return false;
            }
        }
        return true;
    }

    /// Below [#CELLS]; never lower for a higher number. Not for NaN.
    public int cellOf(double number) {
        return cutting.boundsUpTo(number);
    }

    /// Number of cells.
    public int cells() {
        return bounds.length + 1;
    }

    /// True if so many ends were the same that there are less cells than there could be.
    public boolean hasFewBounds() {
        return cells() < CELLS;
    }

    /// True if a number is the lowest of a cell, as an end that many ranges have is, or infinite.
    public boolean isBound(double number) {
        return Double.isInfinite(number) || lowest(cellOf(number)) == number;
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

    /// Width of some cells on the line of numbers, if the first and the last cell are taken to be
    /// as wide as their neighbours; infinite if there are less than three cells.
    public double width(int from, int to) {
        int last = bounds.length;
        if (last < 2) {
            return Double.POSITIVE_INFINITY;
        }
        double low = from > 0 ? lowest(from) : bounds[0] - (bounds[1] - bounds[0]);
        double high =
                to < last ? limit(to) : bounds[last - 1] + (bounds[last - 1] - bounds[last - 2]);
        return high - low;
    }
}
