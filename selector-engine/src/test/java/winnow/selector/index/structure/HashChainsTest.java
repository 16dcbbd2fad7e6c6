package winnow.selector.index.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HashChainsTest {

    private static final int VALUES = 20_000;

    /// What keys look like.
    enum Keys {
        WHOLE_NUMBERS,
        PRICES,
        TIMES,
        TEXTS;

        long key(int i) {
            return switch (this) {
                case WHOLE_NUMBERS -> Double.doubleToRawLongBits(i);
                case PRICES -> Double.doubleToRawLongBits(i / 100.0);
                case TIMES -> Double.doubleToRawLongBits(1.7e12 + 60_000.0 * i);
                case TEXTS -> HashChains.hash(HashChains.hash(7, (byte) i), (byte) (i >> 8));
            };
        }
    }

    private final HashChains<Integer> chains = new HashChains<>();

    private static List<Integer> values(HashChains<Integer> chains, long key) {
        List<Integer> values = new ArrayList<>();
        for (var link = chains.bucket(key); link != null; link = link.next) {
            if (link.key == key) {
                values.add(link.value);
            }
        }
        return values;
    }

    private static int length(HashChains<Integer> chains, long key) {
        int length = 0;
        for (var link = chains.bucket(key); link != null; link = link.next) {
            length++;
        }
        return length;
    }

    @ParameterizedTest
    @EnumSource(Keys.class)
    void shouldSpreadKeysOverBuckets(Keys keys) {
        // given
        Set<Long> distinct = new HashSet<>();
        for (int i = 0; i < VALUES; i++) {
            chains.add(keys.key(i), i);
            distinct.add(keys.key(i));
        }
        assertThat(distinct).hasSize(VALUES);

        // then
        long steps = 0;
        for (int i = 0; i < VALUES; i++) {
            long key = keys.key(i);
            assertThat(values(chains, key)).containsExactly(i);
            steps += length(chains, key);
        }
        assertThat(steps).isLessThan(3L * VALUES);
    }

    @Test
    void shouldRemoveAnyOfManyValuesOfOneKey() {
        // given
        Integer[] added = new Integer[VALUES];
        for (int i = 0; i < VALUES; i++) {
            added[i] = i;
            chains.add(7, added[i]);
        }

        // when
        chains.remove(7, added[0]);
        chains.remove(7, added[VALUES / 2]);
        chains.remove(7, added[VALUES - 1]);

        // then
        assertThat(chains.size()).isEqualTo(VALUES - 3);
        Set<Integer> left = new HashSet<>(List.of(added));
        left.removeAll(Set.of(0, VALUES / 2, VALUES - 1));
        assertThat(new HashSet<>(values(chains, 7))).isEqualTo(left);
    }

    @ParameterizedTest
    @EnumSource(Keys.class)
    void shouldFindWhatIsLeftWhenMostIsRemoved(Keys keys) {
        // given
        Integer[] added = new Integer[VALUES];
        for (int i = 0; i < VALUES; i++) {
            added[i] = i;
            chains.add(keys.key(i), added[i]);
        }

        // when
        for (int i = 10; i < VALUES; i++) {
            chains.remove(keys.key(i), added[i]);
        }

        // then
        assertThat(chains.size()).isEqualTo(10);
        for (int i = 0; i < 20; i++) {
            assertThat(values(chains, keys.key(i))).hasSize(i < 10 ? 1 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Keys.class)
    void shouldFindAllWhileTheTableGrowsAStepAtATime(Keys keys) {
        // given
        Integer[] added = new Integer[VALUES];
        int waitedMost = 0;
        for (int i = 0; i < 600; i++) {
            // when
            added[i] = i;
            int waiting = chains.waiting();
            chains.add(keys.key(i), added[i]);
            if (i % 7 == 0) {
                chains.remove(keys.key(i / 2), added[i / 2]);
                chains.add(keys.key(i / 2), added[i / 2]);
            }

            // then
            boolean grown = chains.waiting() > waiting;
            assertThat(grown || waiting - chains.waiting() <= 12).isTrue();
            waitedMost = Math.max(waitedMost, chains.waiting());
            for (int j = 0; j <= i; j++) {
                if (!values(chains, keys.key(j)).equals(List.of(j))) {
                    throw new AssertionError(j + " of " + i);
                }
            }
        }
        assertThat(waitedMost).isGreaterThan(200);
    }
}
