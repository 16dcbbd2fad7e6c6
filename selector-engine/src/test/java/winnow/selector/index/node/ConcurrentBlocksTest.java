package winnow.selector.index.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.Slices;
import winnow.selector.index.api.MatchSink;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Threads match while another adds and removes selectors in the same blocks and cells: those that
/// are there all the time are found whenever they match, once, and nobody is found that does not
/// match. Rerun a failure with `-Dwinnow.selector.seed=N`.
class ConcurrentBlocksTest {
    private static final int CHANGES = 60_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int READERS = 2;
    private static final int ALWAYS = 6_000;
    private static final int MOST = 8_000;
    private static final int KINDS = 2;
    private static final int COLOURS = 3;
    private static final int NUMBERS = 1_000;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final SelectorIndex<Wish> index = new SelectorIndex<>(SEED);
    private final List<Wish> always = new ArrayList<>();
    private volatile boolean finished;

    /// @param kind -1 for any
    private record Wish(
            int number, int kind, int colour, int low, int high, int otherLow, int otherHigh) {
        static Wish random(int number, Random random) {
            int low = random.nextInt(NUMBERS);
            int otherLow = random.nextInt(NUMBERS);
            return new Wish(
                    number,
                    random.nextInt(KINDS + 1) - 1,
                    random.nextInt(COLOURS),
                    low,
                    low + random.nextInt(NUMBERS),
                    otherLow,
                    otherLow + random.nextInt(NUMBERS));
        }

        Selector selector() {
            String rest =
                    "c = 'c%d' AND a BETWEEN %d AND %d AND b BETWEEN %d AND %d"
                            .formatted(colour, low, high, otherLow, otherHigh);
            return Selector.parse(kind < 0 ? rest : "k = 'k" + kind + "' AND " + rest);
        }

        boolean matches(int k, int c, int a, int b) {
            return (kind < 0 || kind == k)
                    && colour == c
                    && a >= low
                    && a <= high
                    && b >= otherLow
                    && b <= otherHigh;
        }
    }

    private long read(long seed) {
        Random random = new Random(seed);
        SlotValues values = new SlotValues(16);
        MatchScratch matching = Slices.matching();
        int[] calls = new int[ALWAYS];
        long messages = 0;
        while (!finished) {
            int k = random.nextInt(KINDS);
            int c = random.nextInt(COLOURS);
            int a = random.nextInt(NUMBERS);
            int b = random.nextInt(NUMBERS);
            values.reset(index.slots());
            values.setString(index.slots().slotOf("k"), ("k" + k).getBytes(UTF_8));
            values.setString(index.slots().slotOf("c"), ("c" + c).getBytes(UTF_8));
            values.setInt(index.slots().slotOf("a"), a);
            values.setInt(index.slots().slotOf("b"), b);
            MatchSink<Wish> sink =
                    wish -> {
                        if (!wish.matches(k, c, a, b)) {
                            throw new AssertionError(
                                    "%s does not match %d, %d, %d, %d".formatted(wish, k, c, a, b));
                        }
                        if (wish.number < ALWAYS) {
                            calls[wish.number]++;
                        }
                    };
            if (random.nextBoolean()) {
                index.match(values, matching, sink);
            } else {
                Slices.match(index, values, matching, sink);
            }
            for (Wish wish : always) {
                if (calls[wish.number] != (wish.matches(k, c, a, b) ? 1 : 0)) {
                    throw new AssertionError(
                            "%s was called %d times for %d, %d, %d, %d"
                                    .formatted(wish, calls[wish.number], k, c, a, b));
                }
                calls[wish.number] = 0;
            }
            messages++;
        }
        return messages;
    }

    private void change() {
        Random random = new Random(SEED);
        Deque<SubscriberHandle<Wish>> entries = new ArrayDeque<>();
        boolean growing = true;
        for (int i = 0; i < CHANGES; i++) {
            growing = growing ? entries.size() < MOST : entries.isEmpty();
            boolean adds = growing ? random.nextInt(4) > 0 : random.nextInt(4) == 0;
            if (adds || entries.isEmpty()) {
                Wish wish = Wish.random(ALWAYS + i, random);
                SubscriberHandle<Wish> entry = index.add(wish.selector(), wish);
                if (random.nextBoolean()) {
                    entries.addFirst(entry);
                } else {
                    entries.addLast(entry);
                }
            } else {
                index.remove(entries.removeFirst());
            }
            if (i % 64 == 0) {
                index.tune(16);
            }
        }
    }

    private static boolean hasSeveralBlocks(Collection<SubscriberHandle<Wish>> entries) {
        return entries.stream()
                .map(entry -> Node.of(entry).keys().getFirst().cluster())
                .anyMatch(
                        cluster -> cluster instanceof Blocks blocks && blocks.current().length > 1);
    }

    @Test
    void shouldFindWhatIsThereWhileOthersComeAndGo() throws Exception {
        System.out.println("ConcurrentBlocksTest: -Dwinnow.selector.seed=" + SEED);
        Random random = new Random(~SEED);
        List<SubscriberHandle<Wish>> entries = new ArrayList<>();
        for (int i = 0; i < ALWAYS; i++) {
            Wish wish = Wish.random(i, random);
            always.add(wish);
            entries.add(index.add(wish.selector(), wish));
        }
        // Their key is the colour.
        assertThat(hasSeveralBlocks(entries)).isTrue();
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
    }
}
