package winnow.selector.index.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.RandomMoves;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.Slices;
import winnow.selector.index.api.MatchSink;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Threads match while another adds, removes and moves selectors in the same leaves. Strings and
/// patterns go with their last selector, and others take their numbers, so that one selector takes
/// the row of another whose tests look the same and mean something else. Rerun a failure with
/// `-Dwinnow.selector.seed=N`.
class ConcurrentLeavesTest {
    private static final int CHANGES = 100_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int READERS = 2;

    /// One leaf has rows of strings and ranges, one intervals only, one rows of patterns.
    private static final int KEYS = 3;

    private static final int STAYING_PER_KEY = 6;
    private static final int CHANGING_PER_KEY = 12;

    /// By then a row may be somebody else's.
    private static final int AWAITED_CHANGES = 4;

    private static final int STRINGS = 40;
    private static final int NUMBERS = 30;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final SelectorIndex<Wish> index = new SelectorIndex<>(SEED);
    private final List<Wish> staying = new ArrayList<>();

    /// The first two of each leaf, which are never moved, so that it stays one.
    private final List<SubscriberHandle<Wish>> anchors = new ArrayList<>();

    private final List<SubscriberHandle<Wish>> moving = new ArrayList<>();
    private int takenRows;
    private volatile int changes;
    private volatile boolean finished;

    /// @param number negative if it comes and goes
    /// @param key negative if any of them will do
    private record Wish(int number, int key, int string, int low) {
        static Wish random(int number, Random random) {
            return new Wish(
                    number, random.nextInt(KEYS), random.nextInt(STRINGS), random.nextInt(NUMBERS));
        }

        Selector selector() {
            String first = key < 0 ? "" : "k = 'k%d' AND ".formatted(key);
            return Selector.parse(
                    first
                            + switch (key) {
                                case 1 -> "n BETWEEN %d AND %d".formatted(low, low + 9);
                                case 2 -> "s LIKE '%%<%d>%%'".formatted(string);
                                default ->
                                        "s = 'a<%d>'%s"
                                                .formatted(
                                                        string, low % 2 == 0 ? "" : " AND n > 9");
                            });
        }

        boolean matches(int k, int s, int n) {
            return (key < 0 || key == k)
                    && switch (key) {
                        case 1 -> n >= low && n <= low + 9;
                        case 2 -> string == s;
                        default -> string == s && (low % 2 == 0 || n > 9);
                    };
        }
    }

    private void set(SlotValues values, String name, String value) {
        int slot = index.slots().slotOf(name);
        byte[] text = value.getBytes(UTF_8);
        values.setString(slot, text, 0, text.length);
    }

    private void awaitChanges() {
        int before = changes;
        while (!finished && changes - before < AWAITED_CHANGES) {
            LockSupport.parkNanos(1);
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
            int n = random.nextInt(NUMBERS);
            values.reset(index.slots());
            set(values, "k", "k" + k);
            set(values, "s", "a<" + s + ">");
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
            switch (random.nextInt(3)) {
                case 0 -> index.match(values, matching, sink);
                case 1 -> {
                    awaitChanges();
                    index.match(values, matching, sink);
                }
                default -> Slices.match(index, values, matching, sink, this::awaitChanges);
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

    private Object[] leaf(int key) {
        Object cluster = Node.of(anchors.get(key)).keys().getFirst().cluster();
        return (Object[]) Objects.requireNonNull(cluster);
    }

    /// Keeps half as many at times, so that leaves become smaller, too.
    private void change() {
        Random random = new Random(SEED);
        List<SubscriberHandle<Wish>> coming = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            int most = KEYS * CHANGING_PER_KEY / (1 + i / 64 % 2);
            if (coming.size() < most) {
                coming.add(add(Wish.random(-1, random), random.nextInt(4) == 0));
            } else {
                int gone = random.nextInt(coming.size());
                index.remove(coming.get(gone));
                coming.set(gone, coming.getLast());
                coming.removeLast();
            }
            if (random.nextInt(8) == 0) {
                RandomMoves.move(index, moving.get(random.nextInt(moving.size())), random);
            }
            changes = i;
        }
    }

    /// @param everywhere without a key, which lets messages look up the string before they come to
    ///   a leaf
    private SubscriberHandle<Wish> add(Wish wish, boolean everywhere) {
        if (everywhere) {
            Wish other = new Wish(-1, -1, wish.string, wish.low);
            return index.add(other.selector(), other);
        }
        Object[] before = leaf(wish.key);
        int size = Leaf.size(before);
        SubscriberHandle<Wish> entry = index.add(wish.selector(), wish);
        takenRows += Leaf.size(before) > size ? 1 : 0;
        return entry;
    }

    private void addStaying() {
        // So that the strings of `s` are taken to be less telling than those of `k`.
        for (int i = 0; i < 200; i++) {
            Wish other = new Wish(-1, KEYS + i, 0, 0);
            index.add(other.selector(), other);
        }
        for (int i = 0; i < KEYS * STAYING_PER_KEY; i++) {
            Wish wish = new Wish(i, i % KEYS, i, i);
            staying.add(wish);
            (i < 2 * KEYS ? anchors : moving).add(index.add(wish.selector(), wish));
        }
    }

    @Test
    void shouldFindWhatIsThereWhileOthersTakeRows() throws Exception {
        System.out.println("ConcurrentLeavesTest: -Dwinnow.selector.seed=" + SEED);
        addStaying();
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
        assertThat(takenRows).isGreaterThan(CHANGES / 100);
    }
}
