package winnow.tests.benchmark.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.tests.benchmark.rows.Row.Generated;

class LeastHeapTest {
    private static final int SELECTORS = 500;
    private static final int COMPARED = 256;

    private static LeastHeap of(Workload workload) {
        return new LeastHeap(
                workload, IntStream.range(0, SELECTORS).boxed().toArray(Integer[]::new));
    }

    @ParameterizedTest
    @EnumSource(names = "SYMBOL_AND_RANGE", mode = EnumSource.Mode.EXCLUDE)
    void shouldTestAsSelectorsDo(Row row) {
        // given
        Workload workload = Workload.of(row, SELECTORS);
        LeastHeap least = of(workload);

        // then
        int matches = 0;
        for (Message message : workload.messages().subList(0, COMPARED)) {
            for (int i = 0; i < SELECTORS; i++) {
                boolean expected = workload.selectors().get(i).test(message);
                assertThat(least.test(i, message.values())).isEqualTo(expected);
                matches += expected ? 1 : 0;
            }
        }
        assertThat(matches).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = "SYMBOL_AND_RANGE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFindTheSelectorsThatAreThere(Row row) {
        // given
        Workload workload = Workload.of(row, SELECTORS);
        LeastHeap least = of(workload);
        List<Generated> selectors = workload.selectors();

        // then
        for (Generated selector : selectors) {
            assertThat(selectors.get(least.find(selector)).selector())
                    .isEqualTo(selector.selector());
        }
        List<String> texts = workload.texts();
        List<Generated> others = row.selectors(SELECTORS + 1);
        assertThat(others)
                .filteredOn(other -> !texts.contains(other.selector()))
                .isNotEmpty()
                .allMatch(other -> least.find(other) == -1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldAHandleForEachSelector(Row row) {
        LeastHeap least = of(Workload.of(row, SELECTORS));

        for (int i = 0; i < SELECTORS; i++) {
            assertThat(least.subscriber(i)).isEqualTo(i);
        }
    }
}
