package winnow.selector.index.structure;

import java.util.Arrays;

/// The ends of the ranges that selectors ask of one slot, and the cells that its numbers are
/// divided into by the latest of them. Writer only.
public final class RangeEnds {
    /// With so many ends there is a scale. Whenever there are four times as many, there is a new
    /// one if it no longer suits them.
    private static final int MIN_ENDS = 64;

    /// So many ends of ranges ask for a group of cells of their own, so that a group leads to
    /// thousands of selectors: fewer are slower to find than to pass over in a block. With 4,096,
    /// messages take 1.3 times as long with 10,000 selectors of 2 to 4 ranges, and as long with
    /// 100,000, which change at 0.9 of the speed.
    private static final int ENDS_PER_GROUP = 16384;

    private static final int MAX_ENDS = 4096;

    /// So many ranges may have the same ends by chance.
    private static final int FEW = 4;

    /// After so many more ends it is looked at the latest whether the scale suits them.
    private static final int MAX_UNLOOKED = 100_000;

    /// Large enough for any number of ranges a second; a multiple of [#MAX_ENDS].
    private static final int MAX_COUNT = 1 << 30;

    /// The latest, as a ring.
    private double[] ends = {};

    private int count;

    /// Number of terms that have noted theirs and not left.
    private int ranges;

    private int countWhenScaled;
    private Scale scale = Scale.ONE_CELL;

    /// A selector asks for a range of numbers; infinite ends tell nothing.
    public void note(double low, double high) {
        ranges++;
        note(low);
        note(high);
        if (count >= MIN_ENDS
                && count - countWhenScaled >= Math.min(3L * countWhenScaled, MAX_UNLOOKED)) {
            double[] latest = Arrays.copyOf(ends, Math.min(count, ends.length));
            if (!scale.suits(latest)) {
                scale = Scale.of(latest);
            }
            countWhenScaled = count;
        }
    }

    /// One range less. When few are left, the latest ends are enough.
    public void leave() {
        ranges--;
        if (16 * ranges < ends.length && ends.length > MIN_ENDS) {
            int kept = Math.max(MIN_ENDS, 4 * Integer.highestOneBit(ranges));
            double[] latest = new double[kept];
            for (int i = 0; i < kept; i++) {
                latest[i] = ends[(count - kept + i) % ends.length];
            }
            ends = latest;
            count = kept;
            countWhenScaled = kept;
        }
    }

    private void note(double end) {
        if (Double.isInfinite(end)) {
            return;
        }
        if (count == ends.length && count < MAX_ENDS) {
            ends = Arrays.copyOf(ends, Math.max(MIN_ENDS, 2 * count));
        }
        ends[count % ends.length] = end;
        count++;
        if (count == MAX_COUNT) {
            count /= 2;
            countWhenScaled /= 2;
        }
    }

    /// True if several of the ranges, of which there are too few for a scale, have both these ends:
    /// then many selectors are likely to ask for the same range.
    public boolean areCommon(double low, double high) {
        return isCommon(low) && isCommon(high);
    }

    private boolean isCommon(double end) {
        int same = 0;
        for (int i = 0; i < Math.min(count, ends.length); i++) {
            same += ends[i] == end ? 1 : 0;
        }
        return same > FEW || Double.isInfinite(end);
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /// The latest.
    public Scale scale() {
        return scale;
    }

    /// Into how many groups of cells new ranges divide the numbers at most, a power of two.
    public int groups() {
        return Integer.highestOneBit(Math.clamp(countWhenScaled / ENDS_PER_GROUP, 1, Scale.CELLS));
    }
}
