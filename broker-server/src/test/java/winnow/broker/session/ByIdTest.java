package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.wire.Protocol;

class ByIdTest {
    private final ById<String> table = new ById<>();

    @Test
    void shouldTakeLittleForOneLargeNumber() {
        // when
        table.add(Protocol.MAX_ID, "x");

        // then
        assertThat(table.get(Protocol.MAX_ID)).isEqualTo("x");
        assertThat(table.capacity()).isLessThan(64);
    }

    @Test
    void shouldKeepNeighbouringNumbersInAnArray() {
        // when
        for (int id = 1; id <= 10_000; id++) {
            table.add(id, "x" + id);
        }

        // then
        assertThat(table.get(10_000)).isEqualTo("x10000");
        assertThat(table.capacity()).isBetween(10_000, 20_020);
    }

    @Test
    void shouldGiveMemoryBackWhenNumbersGo() {
        // given
        for (int id = 1; id <= 10_000; id++) {
            table.add(id, "x" + id);
        }

        // when
        for (int id = 1; id < 10_000; id++) {
            table.remove(id);
        }

        // then
        assertThat(table.get(10_000)).isEqualTo("x10000");
        assertThat(table.get(1)).isNull();
        assertThat(table.capacity()).isLessThan(64);
    }

    @Test
    void shouldAnswerLikeAMapWhateverTheNumbers() {
        // given
        Random random = new Random(7);
        Map<Integer, String> expected = new HashMap<>();

        for (int step = 0; step < 20_000; step++) {
            // when
            int id = 1 + random.nextInt(random.nextBoolean() ? 200 : Protocol.MAX_ID);
            if (expected.containsKey(id) || random.nextInt(5) < 2) {
                expected.remove(id);
                table.remove(id);
            } else {
                expected.put(id, "x" + step);
                table.add(id, "x" + step);
            }

            // then
            assertThat(table.get(id)).isEqualTo(expected.get(id));
            assertThat(table.size()).isEqualTo(expected.size());
            assertThat(table.capacity()).isLessThan(64 + 8 * expected.size());
        }
        List<String> all = new ArrayList<>();
        table.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(expected.values());
        expected.forEach((id, value) -> assertThat(table.get(id)).isEqualTo(value));
    }
}
