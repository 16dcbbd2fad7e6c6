package winnow.selector.index.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.Entry;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.MatchSink;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.Slices;
import winnow.selector.slot.SlotValues;

/// Threads match while another adds and removes selectors in the same leaves. Strings go with their
/// last selector, and others take their numbers, so that one selector takes the row of another
/// whose tests look the same and mean something else. Rerun a failure with
/// `-Dwinnow.selector.seed=N`.
class ConcurrentLeavesTest {
    private static final int CHANGES = 100_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int READERS = 2;
    private static final int KEYS = 3;

    /// Of a leaf, those that stay and those that come and go.
    private static final int STAYING = 6;

    private static final int CHANGING = 12;
    private static final int STRINGS = 40;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final SelectorIndex<Wish> index = new SelectorIndex<>(SEED);
    private final List<Wish> staying = new ArrayList<>();
    private volatile int changes;
    private volatile boolean finished;

    /// @param number negative if it comes and goes
    /// @param key negative for any
    /// @param low of a range of 10 numbers, -1 if it asks for none
    private record Wish(int number, int key, int string, int low) {
        static Wish random(int number, Random random) {
            return new Wish(
                    number,
                    random.nextInt(KEYS),
                    random.nextInt(STRINGS),
                    random.nextInt(4) * 10 - 10);
        }

        Selector selector() {
            String first = key < 0 ? "" : "k = 'k%d' AND ".formatted(key);
            String range = low < 0 ? "" : " AND n BETWEEN %d AND %d".formatted(low, low + 9);
            return Selector.parse("%ss = 's%d'%s".formatted(first, string, range));
        }

        boolean matches(int k, int s, int n) {
            return (key < 0 || key == k) && string == s && (low < 0 || (n >= low && n <= low + 9));
        }
    }

    private void set(SlotValues values, String name, String value) {
        int slot = index.slots().slotOf(name);
        byte[] text = value.getBytes(UTF_8);
        values.setString(slot, text, 0, text.length);
    }

    /// So many that most rows are somebody else's.
    private void awaitChanges() {
        int before = changes;
        while (!finished && changes - before < CHANGING) {
            Thread.onSpinWait();
        }
    }

    private long read(long seed) {
        Random random = new Random(seed);
        SlotValues values = new SlotValues(16);
        MatchScratch matching = Slices.matching();
        int[] calls = new int[staying.size()];
        long messages = 0;
        while (!finished) {
            int k = random.nextInt(KEYS);
            int s = random.nextInt(STRINGS);
            int n = random.nextInt(30);
            values.reset(index.slots());
            set(values, "k", "k" + k);
            set(values, "s", "s" + s);
            values.setInt(index.slots().slotOf("n"), n);
            MatchSink<Wish> sink =
                    wish -> {
                        if (!wish.matches(k, s, n)) {
                            throw new AssertionError(
                                    wish + " does not match " + k + ", " + s + ", " + n);
                        }
                        if (wish.number >= 0) {
                            calls[wish.number]++;
                        }
                    };
            if (random.nextBoolean()) {
                awaitChanges();
                index.match(values, matching, sink);
            } else {
                Slices.match(index, values, matching, sink, this::awaitChanges);
            }
            for (Wish wish : staying) {
                if (calls[wish.number] != (wish.matches(k, s, n) ? 1 : 0)) {
                    throw new AssertionError(
                            "%s was called %d times for %d, %d, %d"
                                    .formatted(wish, calls[wish.number], k, s, n));
                }
                calls[wish.number] = 0;
            }
            messages++;
        }
        return messages;
    }

    private void change() {
        Random random = new Random(SEED);
        List<Entry<Wish>> entries = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            if (entries.size() < KEYS * CHANGING * (1 + i / 64 % 2) / 2) {
                Wish wish = Wish.random(-1, random);
                if (random.nextInt(4) == 0) {
                    // Lets messages look up the string before they come to a leaf.
                    wish = new Wish(-1, -1, wish.string, wish.low);
                }
                entries.add(index.add(wish.selector(), wish));
            } else {
                int gone = random.nextInt(entries.size());
                index.remove(entries.get(gone));
                entries.set(gone, entries.getLast());
                entries.removeLast();
            }
            changes = i;
        }
    }

    private boolean isInLeaf(Entry<Wish> entry) {
        return Leaf.is(Node.of(entry).keys().getFirst().cluster());
    }

    @Test
    void shouldFindWhatIsThereWhileOthersTakeRows() throws Exception {
        System.out.println("ConcurrentLeavesTest: -Dwinnow.selector.seed=" + SEED);
        Random random = new Random(~SEED);
        List<Entry<Wish>> entries = new ArrayList<>();
        // So that the strings of `s` are taken to be less telling than those of `k`.
        for (int i = 0; i < 200; i++) {
            Wish other = new Wish(-1, KEYS + i, 0, 0);
            index.add(other.selector(), other);
        }
        for (int i = 0; i < KEYS * STAYING; i++) {
            Wish wish = Wish.random(i, random);
            staying.add(wish);
            entries.add(index.add(wish.selector(), wish));
        }
        assertThat(entries).allMatch(this::isInLeaf);
        List<Future<Long>> readers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
            for (int i = 0; i < READERS; i++) {
                long seed = SEED + i;
                readers.add(threads.submit(() -> read(seed)));
            }
            try {
                change();
            } finally {
                finished = true;
            }
            for (Future<Long> reader : readers) {
                assertThat(reader.get()).isGreaterThan(100);
            }
        }
        assertThat(entries).allMatch(this::isInLeaf);
    }
}
