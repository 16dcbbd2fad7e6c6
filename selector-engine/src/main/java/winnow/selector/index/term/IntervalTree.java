package winnow.selector.index.term;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Cutting;
import winnow.selector.index.structure.Member;
import winnow.selector.index.structure.Members;

/// Terms that hold within intervals of numbers, in a segment tree over fixed cells: each hangs in
/// at most two nodes per level. Cells are numbered from 0; node `i` has the children `2i` and `2i +
/// 1`, cells come last. One writer, many readers.
public final class IntervalTree {

    private final Cutting cutting;
    private final int cells;
    private final AtomicReferenceArray<@Nullable Object> clusters;

    /// @param bounds of the cells, ascending and different
    IntervalTree(double[] bounds) {
        this.cells = Math.max(1, Integer.highestOneBit(2 * bounds.length));
        this.cutting = new Cutting(bounds, cells);
        this.clusters = new AtomicReferenceArray<>(2 * cells);
    }

    /// Nodes are numbered below this.
    int nodes() {
        return clusters.length();
    }

    /// The number of bounds that are not above the number.
    private int cellOf(double number) {
        return cutting.boundsUpTo(number);
    }

    /// Looks up a number, which is not NaN. Any thread.
    void probe(double number, TermVisitor matching) {
        for (int node = cells + cellOf(number); node > 0; node >>= 1) {
            Object cluster = clusters.getAcquire(node);
            if (cluster != null) {
                matching.candidates(cluster);
            }
        }
    }

    void add(Intervals.Interval interval) {
        change(interval, true);
    }

    void remove(Intervals.Interval interval) {
        change(interval, false);
    }

    private void change(Intervals.Interval interval, boolean add) {
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

    private void change(int node, Intervals.Interval interval, boolean add) {
        Object cluster = clusters.getPlain(node);
        clusters.setRelease(
                node, add ? Members.with(cluster, interval) : Members.without(cluster, interval));
    }

    /// One of the nodes in which an interval hangs or would, always the same; 0 if it is empty.
    int home(Intervals.Interval interval) {
        if (interval.low() > interval.high()) {
            return 0;
        }
        int from = cells + cellOf(interval.low());
        int to = cells + cellOf(interval.high()) + 1;
        while ((from & 1) == 0 && (to & 1) == 0) {
            from >>= 1;
            to >>= 1;
        }
        return (from & 1) != 0 ? from : to - 1;
    }

    /// Calls the consumer for each interval whose [#home] a node is. Writer only.
    void forEachAt(int node, Consumer<Intervals.Interval> consumer) {
        switch (clusters.getPlain(node)) {
            case null -> {}
            case Member[] members -> forEach(members, node, consumer);
            case Members.Chunks chunks -> {
                for (int i = 0; i < chunks.count(); i++) {
                    forEach(chunks.chunk(i), node, consumer);
                }
            }
            case Object one -> forEach(new Member[] {(Member) one}, node, consumer);
        }
    }

    private void forEach(Member[] members, int node, Consumer<Intervals.Interval> consumer) {
        for (Member member : members) {
            Intervals.Interval interval = (Intervals.Interval) member;
            if (home(interval) == node) {
                consumer.accept(interval);
            }
        }
    }
}
