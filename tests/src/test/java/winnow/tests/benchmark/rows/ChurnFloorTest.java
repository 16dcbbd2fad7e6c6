package winnow.tests.benchmark.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChurnFloorTest {
    private static final int SELECTORS = 600;
    private static final int STAYING = 200;
    private static final int COMPARED = 256;

    /// Adds the changing ones that are not there, or removes those that are.
    private static void changeUntil(ChurnFloor floor, boolean present) {
        for (int i = 0; i < SELECTORS - STAYING; i++) {
            if (floor.isThere(i) != present) {
                floor.change(i);
            }
        }
    }

    private static Set<String> texts(Workload workload, int count) {
        return new HashSet<>(workload.texts().subList(0, count));
    }

    @ParameterizedTest
    @EnumSource
    void shouldFindTheSelectorsThatAreThere(Row row) {
        // given
        Workload workload = Workload.of(row, SELECTORS);
        ChurnFloor floor = new ChurnFloor(workload, STAYING);

        // when
        for (int i = 0; i < SELECTORS - STAYING; i += 3) {
            floor.change(i);
        }

        // then
        int matches = 0;
        for (int message = 0; message < COMPARED; message++) {
            Set<String> expected = new TreeSet<>();
            for (int i = 0; i < SELECTORS; i++) {
                if ((i < STAYING || floor.isThere(i - STAYING))
                        && workload.selectors().get(i).test(workload.messages().get(message))) {
                    expected.add(workload.texts().get(i));
                }
            }
            assertThat(floor.matches(message).stream().map(workload.texts()::get))
                    .containsExactlyInAnyOrderElementsOf(expected);
            matches += expected.size();
        }
        assertThat(matches).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepDifferentSelectorsAndTheirUses(Row row) {
        Workload workload = Workload.of(row, SELECTORS);
        ChurnFloor floor = new ChurnFloor(workload, STAYING);
        changeUntil(floor, false);
        int usesOfFew = floor.uses();
        assertThat(floor.size()).isEqualTo(texts(workload, STAYING).size());

        changeUntil(floor, true);
        assertThat(floor.size()).isEqualTo(texts(workload, SELECTORS).size());
        assertThat(floor.uses()).isGreaterThan(usesOfFew);

        changeUntil(floor, false);
        assertThat(floor.uses()).isEqualTo(usesOfFew);
    }
}
