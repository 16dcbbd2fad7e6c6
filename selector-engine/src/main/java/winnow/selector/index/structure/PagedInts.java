package winnow.selector.index.structure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Ints by small numbers, 0 at first, in pages that exist once they are needed: one array for a
/// million numbers would take 2 ms to make, during which its event loop is held. Owned by one event
/// loop.
public final class PagedInts {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;

    private int[] @Nullable [] pages = {};

    /// Numbers are below this.
    private int limit;

    /// @param numbers are below this from now on, unless they were below a higher limit before
    public void ensure(int numbers) {
        if (limit < numbers) {
            int count = (numbers + PAGE - 1) >>> PAGE_BITS;
            if (pages.length < count) {
                pages = Arrays.copyOf(pages, Math.max(count, 2 * pages.length));
            }
            limit = numbers;
        }
    }

    /// True if a number is below the limit.
    public boolean has(int number) {
        return number < limit;
    }

    /// 0 for a number that is not below the limit.
    public int get(int number) {
        int[] page = number < limit ? pages[number >>> PAGE_BITS] : null;
        return page == null ? 0 : page[number & PAGE - 1];
    }

    /// @param number below the limit
    public void set(int number, int value) {
        int[] page = pages[number >>> PAGE_BITS];
        if (page == null) {
            page = new int[PAGE];
            pages[number >>> PAGE_BITS] = page;
        }
        page[number & PAGE - 1] = value;
    }

    /// All are 0 again.
    public void clear() {
        Arrays.fill(pages, null);
    }
}
