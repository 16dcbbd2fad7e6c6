package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Compares with a map of the platform.
class SequenceMapTest {
    private final SequenceMap<String> map = new SequenceMap<>();
    private final TreeMap<Long, String> expected = new TreeMap<>();

    @Test
    void holdsWhatAMapHolds() {
        Random random = new Random(1);
        long next = 0;
        for (int step = 0; step < 200_000; step++) {
            long key = Math.max(0, next - random.nextInt(200));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> put(next++);
                case 3 -> put(key);
                case 4 -> assertThat(map.remove(key)).isEqualTo(expected.remove(key));
                case 5 -> removeAll(key, key + random.nextInt(100) - 1);
                case 6 -> next += random.nextInt(50);
                default -> assertThat(map.get(key)).isEqualTo(expected.get(key));
            }
            assertThat(map.size()).isEqualTo(expected.size());
        }
        assertThat(map.values()).isEqualTo(List.copyOf(expected.values()));
        removeAll(0, Long.MAX_VALUE);
        assertThat(map.isEmpty()).isTrue();
    }

    private void put(long key) {
        String value = "v" + key;
        map.put(key, value);
        expected.put(key, value);
    }

    private void removeAll(long first, long last) {
        List<String> removed = new ArrayList<>();
        map.removeAll(first, last, removed::add);
        if (first <= last) {
            var leaving = expected.subMap(first, true, last, true);
            assertThat(removed).isEqualTo(List.copyOf(leaving.values()));
            leaving.clear();
        } else {
            assertThat(removed).isEmpty();
        }
    }

    @Test
    void hasNothingUnderNumbersThatNobodyGives() {
        put(0);
        put(31);
        assertThat(map.get(-1)).isNull();
        assertThat(map.remove(Long.MIN_VALUE)).isNull();
        removeAll(-7, -1);
        removeAll(Long.MIN_VALUE, 10);
        assertThat(map.values()).containsExactly("v31");
    }

    @Test
    void isEmptyAfterClear() {
        for (long key = 0; key < 100; key++) {
            put(key);
        }
        map.clear();
        assertThat(map.size()).isZero();
        assertThat(map.get(40)).isNull();
        assertThat(map.values()).isEmpty();
    }
}
