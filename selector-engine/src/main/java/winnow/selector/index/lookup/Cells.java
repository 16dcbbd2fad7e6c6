package winnow.selector.index.lookup;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.structure.Scale;
import winnow.selector.index.term.CellTerm;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.TermVisitor;

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

    /// How many groups of one size there are, of the smallest size that was ever in use.
    private volatile int groups = 1;

    Cells(Scale scale) {
        this.scale = scale;
    }

    public Scale scale() {
        return scale;
    }

    /// The groups, one or two of one size, that all numbers of a range are in.
    ///
    /// @param most how many groups of their size there are at most
    public static List<Integer> covering(Scale scale, double low, double high, int most) {
        int from = Scale.CELLS + scale.cellOf(low);
        int to = Scale.CELLS + scale.cellOf(high);
        while (to - from > 1 || from >= 2 * most) {
            from /= 2;
            to /= 2;
        }
        List<Integer> places = new ArrayList<>();
        places.add(from);
        if (to != from) {
            places.add(to);
        }
        return places;
    }

    /// Whether groups of one size that all numbers of a range are in are among some keys. Writer
    /// only.
    public boolean areAmong(Set<SharedTerm> keys, double low, double high) {
        for (int most = Scale.CELLS; most > 0; most /= 2) {
            if (areAll(covering(scale, low, high, most), keys)) {
                return true;
            }
        }
        return false;
    }

    private boolean areAll(List<Integer> places, Set<SharedTerm> keys) {
        for (int place : places) {
            CellTerm term = term(place);
            if (term == null || !keys.contains(term)) {
                return false;
            }
        }
        return true;
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
