package winnow.selector.index.term;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Member;

/// Terms that hold within intervals of numbers, found by a number: an [IntervalTree] over about as
/// many cells as there are terms, whose bounds are quantiles of the terms' own. A number looks into
/// one cell and the nodes above it; it finds all terms whose interval holds it and a few that miss
/// it by less than a cell, so each is tested.
///
/// Adding and removing touches two nodes per level. When the number of terms has doubled or
/// quartered, another tree is made, a few nodes per change so that none takes long: first it is
/// found out where intervals end, then they are added to the new tree, which replaces the old one
/// as a whole. One writer, many readers.
public final class Intervals {

    private static final int MIN_CELLS = 8;
    private static final int MAX_CELLS = 1 << 16;

    /// Trees for so few intervals are made at once.
    private static final int FEW = 512;

    /// Nodes to go through per change while a tree is made: enough to be ready before the next.
    private static final int NODES_PER_CHANGE = 8;

    /// The same while intervals leave, which leaves fewer changes and nodes with little in them.
    private static final int NODES_PER_REMOVAL = 64;

    private static final double[] NO_BOUNDS = {};

    /// A term with an interval; empty if the low end is above the high end.
    public interface Interval extends Member {

        double low();

        double high();
    }

    private volatile IntervalTree tree = new IntervalTree(NO_BOUNDS);
    private int size;
    private int sizeWhenBuilt = MIN_CELLS;

    /// Replacement of the tree in the making; null if there is none.
    private @Nullable Making making;

    boolean isEmpty() {
        return size == 0;
    }

    /// True if another tree is being made.
    boolean isMaking() {
        return making != null;
    }

    public void add(Interval interval) {
        size++;
        tree.add(interval);
        Making current = making;
        if (current != null) {
            current.add(interval);
            go(current, NODES_PER_CHANGE);
        } else if (size > 2 * sizeWhenBuilt) {
            begin();
        }
    }

    public void remove(Interval interval) {
        size--;
        tree.remove(interval);
        Making current = making;
        if (size == 0) {
            tree = new IntervalTree(NO_BOUNDS);
            sizeWhenBuilt = MIN_CELLS;
            making = null;
        } else if (current != null) {
            current.remove(interval);
            go(current, NODES_PER_REMOVAL);
        } else if (size < sizeWhenBuilt / 4 && sizeWhenBuilt > MIN_CELLS) {
            begin();
        }
    }

    private void begin() {
        sizeWhenBuilt = Math.max(MIN_CELLS, size);
        Making begun = new Making(tree, size);
        making = begun;
        if (size <= FEW) {
            go(begun, Integer.MAX_VALUE);
        }
    }

    private void go(Making current, int nodes) {
        IntervalTree made = current.go(nodes);
        if (made != null) {
            tree = made;
            making = null;
        }
    }

    /// Looks up a number, which is not NaN. Any thread.
    void probe(double number, TermVisitor matching) {
        tree.probe(number, matching);
    }

    /// A tree that is being made from another one.
    private static final class Making {

        private final IntervalTree from;
        private final int cells;

        /// Some ends of intervals, one interval of so many.
        private double[] ends = new double[2 * FEW];

        private final int oneOf;
        private int seen;
        private int noted;

        /// Null until enough ends are known.
        private @Nullable IntervalTree to;

        /// Nodes below it have been gone through, for the ends or, later, for the tree.
        private int next = 1;

        Making(IntervalTree from, int size) {
            this.from = from;
            this.cells = Integer.highestOneBit(Math.clamp(size, MIN_CELLS, MAX_CELLS));
            this.oneOf = 1 + 2 * size / MAX_CELLS;
        }

        /// To be called for what was added to the old tree.
        void add(Interval interval) {
            IntervalTree made = to;
            if (made != null && from.home(interval) < next) {
                made.add(interval);
            }
        }

        /// To be called for what was removed from the old tree.
        void remove(Interval interval) {
            IntervalTree made = to;
            if (made != null && from.home(interval) < next) {
                made.remove(interval);
            }
        }

        /// Returns the tree when it is complete.
        @Nullable IntervalTree go(int nodes) {
            for (int left = nodes; left > 0; left--) {
                if (next == from.nodes()) {
                    if (to != null) {
                        return to;
                    }
                    to = new IntervalTree(quantiles());
                    next = 1;
                }
                IntervalTree made = to;
                Consumer<Interval> step = made == null ? this::note : made::add;
                from.forEachAt(next++, step);
            }
            return null;
        }

        private void note(Interval interval) {
            if (seen++ % oneOf == 0) {
                note(interval.low());
                note(interval.high());
            }
        }

        private void note(double end) {
            if (Double.isFinite(end)) {
                if (noted == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * noted);
                }
                ends[noted++] = end + 0.0;
            }
        }

        /// Bounds of cells: every so many of the ends of the intervals, in order.
        private double[] quantiles() {
            double[] sorted = Arrays.copyOf(ends, noted);
            Arrays.sort(sorted);
            int different = 0;
            for (double end : sorted) {
                if (different == 0 || end > sorted[different - 1]) {
                    sorted[different++] = end;
                }
            }
            sorted = Arrays.copyOf(sorted, different);
            if (sorted.length < cells) {
                return sorted;
            }
            double[] bounds = new double[cells - 1];
            for (int i = 0; i < bounds.length; i++) {
                bounds[i] = sorted[(int) ((long) (i + 1) * sorted.length / cells)];
            }
            return bounds;
        }
    }
}
