package winnow.selector.index.term;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Scale;

/// The cells of a [Scale] in groups of 1, 2, 4, and so on up to all, as a binary tree: what a range
/// of numbers is found by if it is wide. The smallest groups are left out as long as there are few
/// ranges. A number is in one group of each size. One writer, many readers.
public final class Cells {
    /// The place of the group of all cells.
    public static final int ALL = 1;

    private final Scale scale;

    /// By place in the tree: 1 is all, the children of i are 2i and 2i + 1, the cells come last.
    private final AtomicReferenceArray<@Nullable CellTerm> terms =
            new AtomicReferenceArray<>(2 * Scale.CELLS);

    private int size;

    /// Number of groups of one size, the smallest that was ever in use.
    private volatile int groups = 1;

    Cells(Scale scale) {
        this.scale = scale;
    }

    public Scale scale() {
        return scale;
    }

    /// The place of the smallest group that has all of some cells in it. Two smaller groups would
    /// hold fewer others, but a selector that is found by two keys takes twice the time to add and
    /// to remove and twice the memory: with 100,000 selectors of 2 to 4 ranges, changes take 1.5
    /// times as long and a message 1.3 times.
    ///
    /// @param first of the cells
    /// @param last of them
    /// @param most how many groups of its size there are at most
    public static int holding(int first, int last, int most) {
        int from = Scale.CELLS + first;
        int to = Scale.CELLS + last;
        while (to != from || from >= 2 * most) {
            from /= 2;
            to /= 2;
        }
        return from;
    }

    public @Nullable CellTerm term(int place) {
        return terms.getPlain(place);
    }

    public void add(CellTerm term) {
        terms.setRelease(term.place(), term);
        groups = Math.max(groups, Integer.highestOneBit(term.place()));
        size++;
    }

    public void remove(CellTerm term) {
        terms.setRelease(term.place(), null);
        size--;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /// Looks at all that a number leads to. Any thread.
    void probe(double number, TermVisitor matching) {
        int smallest =
                groups == 1 ? ALL : (Scale.CELLS + scale.cellOf(number)) / (Scale.CELLS / groups);
        for (int place = smallest; place > 0; place /= 2) {
            CellTerm term = terms.getAcquire(place);
            if (term != null) {
                matching.hit(term);
            }
        }
    }
}
