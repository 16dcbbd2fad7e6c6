package winnow.selector.index;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// Terms that hold within intervals of numbers, found by a number: a segment tree over about as
/// many cells as there are terms, whose bounds are quantiles of the terms' own. A number looks into
/// one cell and the nodes above it; it finds all terms whose interval holds it and a few that miss
/// it by less than a cell, so each is tested.
///
/// Adding and removing touches two nodes per level. When the number of terms has doubled or
/// quartered, the tree is built again and replaced as a whole. One writer, many readers.
final class Intervals {

    private static final int MIN_CELLS = 8;
    private static final int MAX_CELLS = 1 << 16;

    /// A term with an interval; empty if the low end is above the high end.
    interface Interval extends Member {

        double low();

        double high();
    }

    private volatile Tree tree = new Tree(new double[0]);
    private int size;
    private int sizeWhenBuilt = MIN_CELLS;

    boolean isEmpty() {
        return size == 0;
    }

    void add(Interval interval) {
        size++;
        if (size > 2 * sizeWhenBuilt) {
            Set<Interval> all = tree.all();
            all.add(interval);
            rebuild(all);
        } else {
            tree.change(interval, true);
        }
    }

    void remove(Interval interval) {
        size--;
        tree.change(interval, false);
        if (size < sizeWhenBuilt / 4 && sizeWhenBuilt > MIN_CELLS) {
            rebuild(tree.all());
        }
    }

    private void rebuild(Set<Interval> all) {
        Tree fresh = new Tree(quantiles(all));
        for (Interval interval : all) {
            fresh.change(interval, true);
        }
        sizeWhenBuilt = Math.max(MIN_CELLS, size);
        tree = fresh;
    }

    /// Bounds of cells: every so many of the ends of the intervals, in order.
    private static double[] quantiles(Set<Interval> all) {
        double[] ends =
                all.stream()
                        .flatMapToDouble(
                                interval -> DoubleStream.of(interval.low(), interval.high()))
                        .filter(Double::isFinite)
                        .map(end -> end + 0.0)
                        .sorted()
                        .distinct()
                        .toArray();
        int cells = Integer.highestOneBit(Math.clamp(all.size(), MIN_CELLS, MAX_CELLS));
        if (ends.length < cells) {
            return ends;
        }
        double[] bounds = new double[cells - 1];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = ends[(int) ((long) (i + 1) * ends.length / cells)];
        }
        return bounds;
    }

    /// Looks up a number, which is not NaN. Any thread.
    void probe(double number, Matching matching) {
        tree.probe(number, matching);
    }

    /// Cells are numbered from 0; node `i` has the children `2i` and `2i + 1`, cells come last.
    private static final class Tree {

        private final double[] bounds;
        private final int cells;
        private final AtomicReferenceArray<@Nullable Object> clusters;

        Tree(double[] bounds) {
            this.bounds = bounds;
            this.cells = Math.max(1, Integer.highestOneBit(2 * bounds.length));
            this.clusters = new AtomicReferenceArray<>(2 * cells);
        }

        /// The number of bounds that are not above the number.
        private int cellOf(double number) {
            int at = Arrays.binarySearch(bounds, number + 0.0);
            return at >= 0 ? at + 1 : -at - 1;
        }

        void probe(double number, Matching matching) {
            for (int node = cells + cellOf(number); node > 0; node >>= 1) {
                Object cluster = clusters.getAcquire(node);
                if (cluster != null) {
                    matching.candidates(cluster);
                }
            }
        }

        void change(Interval interval, boolean add) {
            if (interval.low() > interval.high()) {
                return;
            }
            int from = cells + cellOf(interval.low());
            int to = cells + cellOf(interval.high()) + 1;
            for (; from < to; from >>= 1, to >>= 1) {
                if ((from & 1) != 0) {
                    change(from++, interval, add);
                }
                if ((to & 1) != 0) {
                    change(--to, interval, add);
                }
            }
        }

        private void change(int node, Interval interval, boolean add) {
            Object cluster = clusters.getPlain(node);
            clusters.setRelease(
                    node,
                    add ? Cluster.with(cluster, interval) : Cluster.without(cluster, interval));
        }

        Set<Interval> all() {
            Set<Interval> all = new HashSet<>();
            for (int node = 1; node < clusters.length(); node++) {
                collect(clusters.getPlain(node), all);
            }
            return all;
        }

        private static void collect(@Nullable Object cluster, Set<Interval> all) {
            switch (cluster) {
                case null -> {}
                case Member[] members -> {
                    for (Member member : members) {
                        all.add((Interval) member);
                    }
                }
                case Cluster.Chunks chunks -> {
                    for (int i = 0; i < chunks.count(); i++) {
                        collect(chunks.chunk(i), all);
                    }
                }
                default -> all.add((Interval) cluster);
            }
        }
    }
}
