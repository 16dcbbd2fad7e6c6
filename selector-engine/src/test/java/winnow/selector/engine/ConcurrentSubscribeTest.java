package winnow.selector.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// One thread binds selectors while others read messages: a selector may miss a message that was
/// read before it was bound, but never matches wrongly, and never misses a later one. Nor does one
/// match wrongly that is released meanwhile.
@Timeout(60)
class ConcurrentSubscribeTest {

    private static final int SELECTORS = 4_000;
    private static final int READERS = 3;
    private static final int RELEASES = 200_000;

    private final Slots slots = new Slots(1);
    private final List<Bound> bound = new CopyOnWriteArrayList<>();

    /// Matches messages whose property `p{name}` is `'{value}'`, or for `negated` is another
    /// string.
    private record Bound(Matcher matcher, int name, int value, boolean negated) {}

    @Test
    void shouldNeverMatchWronglyWhileSelectorsAreAdded() throws Exception {
        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            // given
            List<Future<Integer>> results = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                int seed = reader;
                results.add(readers.submit(() -> read(seed)));
            }

            // when
            for (int i = 0; i < SELECTORS; i++) {
                int name = i % 37;
                boolean negated = i % 3 == 0;
                String operator = negated ? " <> '" : " = '";
                Selector selector = Selector.parse("p" + name + operator + i + "'");
                bound.add(new Bound(selector.bind(slots), name, i, negated));
            }

            // then
            assertThat(checked(results)).isGreaterThan(SELECTORS);
        }
    }

    private static int checked(List<Future<Integer>> results)
            throws InterruptedException, ExecutionException {
        int checked = 0;
        for (Future<Integer> result : results) {
            checked += result.get();
        }
        return checked;
    }

    private int read(int seed) {
        Random random = new Random(seed);
        SlotValues values = new SlotValues();
        int checked = 0;
        boolean last = false;
        while (!last) {
            last = bound.size() == SELECTORS;
            int known = bound.size();
            int name = random.nextInt(37);
            int value = known == 0 ? 0 : random.nextInt(known);
            byte[] utf8 = Integer.toString(value).getBytes(UTF_8);
            values.reset(slots);
            values.setString(slots.slotOf("p" + name), utf8, 0, utf8.length);
            for (int i = 0; i < 50 && !bound.isEmpty(); i++) {
                int index = random.nextInt(bound.size());
                check(bound.get(index), index < known, name, value, values);
                checked++;
            }
        }
        return checked;
    }

    private static void check(
            Bound bound, boolean boundBefore, int name, int value, SlotValues values) {
        boolean expected = bound.name == name && (bound.value == value) != bound.negated;
        boolean matches = bound.matcher.matches(values);
        assertThat(matches && !expected).as("wrong match of %s", bound).isFalse();
        assertThat(boundBefore && expected && !matches).as("missed by %s", bound).isFalse();
    }

    /// The number of `'x'` is free, or that of `'y'`, once the selector is released.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {"p = 'x' | y", "p <> 'x' | x"})
    void shouldNeverMatchWronglyWhileItIsReleased(String text, String value) throws Exception {
        try (ExecutorService readers = Executors.newSingleThreadExecutor()) {
            // given
            Matcher stays = Selector.parse("p = 'stays'").bind(slots);
            AtomicReference<Matcher> current = new AtomicReference<>(stays);
            AtomicBoolean done = new AtomicBoolean();
            Future<Integer> result = readers.submit(() -> matchNever(current, value, done));

            // when
            try {
                Selector selector = Selector.parse(text);
                Selector other = Selector.parse("p = 'y'");
                for (int i = 0; i < RELEASES; i++) {
                    Matcher leaves = selector.bind(slots);
                    current.set(leaves);
                    leaves.release();
                    other.bind(slots).release();
                }
            } finally {
                done.set(true);
            }

            // then
            assertThat(result.get()).isPositive();
            assertThat(slots.constants()).isEqualTo(1);
        }
    }

    /// @return how often it was asked
    private int matchNever(AtomicReference<Matcher> current, String value, AtomicBoolean done) {
        SlotValues values = new SlotValues();
        byte[] utf8 = value.getBytes(UTF_8);
        int asked = 0;
        while (!done.get()) {
            Matcher matcher = current.get();
            values.reset(slots);
            values.setString(slots.slotOf("p"), utf8, 0, utf8.length);
            values.lookUpStrings();
            assertThat(matcher.matches(values)).isFalse();
            asked++;
        }
        return asked;
    }
}
