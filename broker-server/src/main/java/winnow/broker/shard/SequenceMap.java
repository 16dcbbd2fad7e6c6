package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A sorted map from numbers that are given one after the other, such as positions of messages, to
/// what is known of them. It keeps neighbours together in small arrays, so that access in the order
/// of the numbers, which is the usual one, costs little more than that to an array. Not
/// thread-safe.
///
/// @param <V> not null
public final class SequenceMap<V> {
    private static final int BITS = 5;

    /// Neighbours in one array. 32: a lone value takes some 200 bytes.
    private static final int PAGE = 1 << BITS;

    /// So many pages are found without the tree: those of 2,048 neighbours.
    private static final int RECENT = 64;

    private static final @Nullable Page[] NO_PAGES = {};

    private final NavigableMap<Long, Page> pages = new TreeMap<>();

    /// Pages that were looked at lately: messages are read ahead, delivered and acknowledged at
    /// places of their own. Empty until there is a page.
    private @Nullable Page[] recent = NO_PAGES;

    /// Number of a page that was looked for last and is not there.
    private long absent = -1;

    /// An empty one, to be used again.
    private @Nullable Page spare;

    private int size;

    private static final class Page {
        long number;
        int count;
        final @Nullable Object[] values = new Object[PAGE];
    }

    public int size() {
        return size;
    }

    /// Heap that it takes without its values. An empty one takes next to nothing; one that had
    /// values is charged to who has it.
    public long heapBytes() {
        return pages.isEmpty() ? 0 : HeapCost.RECENT_PAGES + (long) HeapCost.PAGE * pages.size();
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public @Nullable V get(long key) {
        Page page = find(key >> BITS);
        return page == null ? null : at(page, place(key));
    }

    public boolean containsKey(long key) {
        return get(key) != null;
    }

    /// @param key not below 0
    public void put(long key, V value) {
        Page page = find(key >> BITS);
        if (page == null) {
            page = add(key >> BITS);
        }
        if (page.values[place(key)] == null) {
            page.count++;
            size++;
        }
        page.values[place(key)] = value;
    }

    /// @return what was there
    public @Nullable V remove(long key) {
        Page page = find(key >> BITS);
        V value = page == null ? null : at(page, place(key));
        if (page != null && value != null) {
            take(page, place(key));
        }
        return value;
    }

    /// Removes those from `first` to `last`, both included, and gives them to the consumer in their
    /// order.
    public void removeAll(long first, long last, Consumer<V> consumer) {
        long lowest = Math.max(0, first);
        for (Page page : pagesOf(lowest, last)) {
            long begin = page.number << BITS;
            int end = (int) Math.min(PAGE - 1, last - begin);
            for (int i = (int) Math.max(0, lowest - begin); i <= end; i++) {
                V value = at(page, i);
                if (value != null) {
                    take(page, i);
                    consumer.accept(value);
                }
            }
        }
    }

    private List<Page> pagesOf(long first, long last) {
        if (first >> BITS == last >> BITS) {
            Page page = find(first >> BITS);
            return page == null ? List.of() : List.of(page);
        }
        return first > last
                ? List.of()
                : List.copyOf(pages.subMap(first >> BITS, true, last >> BITS, true).values());
    }

    /// All of them, in their order.
    public List<V> values() {
        List<V> values = new ArrayList<>(size);
        for (Page page : pages.values()) {
            for (int i = 0; i < PAGE; i++) {
                V value = at(page, i);
                if (value != null) {
                    values.add(value);
                }
            }
        }
        return values;
    }

    public void clear() {
        pages.clear();
        recent = NO_PAGES;
        size = 0;
    }

    private static int place(long key) {
        return (int) key & PAGE - 1;
    }

    /// Pages at a multiple of 64 from one another, such as those of readings, are apart.
    private static int recentPlace(long number) {
        return (int) (number ^ number >>> 6) & RECENT - 1;
    }

    @SuppressWarnings("unchecked") // Only values are put there.
    private @Nullable V at(Page page, int place) {
        return (V) page.values[place];
    }

    private void take(Page page, int place) {
        page.values[place] = null;
        page.count--;
        size--;
        if (page.count == 0) {
            pages.remove(page.number);
            recent[recentPlace(page.number)] = null;
            spare = page;
        }
    }

    private @Nullable Page find(long number) {
        if (pages.isEmpty()) {
            return null;
        }
        int place = recentPlace(number);
        Page page = recent[place];
        if (page != null && page.number == number) {
            return page;
        }
        if (number == absent) {
            return null;
        }
        page = pages.get(number);
        if (page == null) {
            absent = number;
        } else {
            recent[place] = page;
        }
        return page;
    }

    private Page add(long number) {
        Page page = spare == null ? new Page() : spare;
        spare = null;
        page.number = number;
        pages.put(number, page);
        if (recent.length == 0) {
            recent = new Page[RECENT];
        }
        recent[recentPlace(number)] = page;
        absent = -1;
        return page;
    }
}
