package winnow.selector.index.structure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Ints by small numbers, in pages of 4 KB that exist as long as one of their numbers has an int.
/// Used by one thread.
public final class SparseInts {

    /// Value of a number that has no int.
    public static final int NONE = 0;

    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;

    private int[] @Nullable [] pages = {};

    /// By page, how many ints it has.
    private char[] counts = {};

    /// The int of a number, or [#NONE].
    public int get(int number) {
        int page = number >>> PAGE_BITS;
        int[] ints = page < pages.length ? pages[page] : null;
        return ints == null ? NONE : ints[number & PAGE - 1];
    }

    /// @param value not [#NONE]
    public void set(int number, int value) {
        int page = number >>> PAGE_BITS;
        if (page >= pages.length) {
            int length = Math.max(page + 1, 2 * pages.length);
            char[] moreCounts = Arrays.copyOf(counts, length);
            pages = Arrays.copyOf(pages, length);
            counts = moreCounts;
        }
        int[] ints = pages[page];
        if (ints == null) {
            ints = new int[PAGE];
            pages[page] = ints;
        }
        int i = number & PAGE - 1;
        if (ints[i] == NONE) {
            counts[page]++;
        }
        ints[i] = value;
    }

    /// Takes the int of a number away, if it has one.
    public void remove(int number) {
        if (get(number) == NONE) {
            return;
        }
        int page = number >>> PAGE_BITS;
        int[] ints = pages[page];
        counts[page]--;
        if (ints == null || counts[page] == 0) {
            pages[page] = null;
        } else {
            ints[number & PAGE - 1] = NONE;
        }
    }

    /// True if no number has an int.
    public boolean isEmpty() {
        return Arrays.stream(pages).allMatch(page -> page == null);
    }
}
