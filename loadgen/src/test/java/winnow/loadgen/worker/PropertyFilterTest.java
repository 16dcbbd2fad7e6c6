package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.workload.FilterKind;

class PropertyFilterTest {

    @ParameterizedTest
    @CsvSource({"AND_FIRST, p1", "AND_MIDDLE, p13", "AND_LAST, p25"})
    void shouldDifferInOneOfTwentyFiveProperties(FilterKind filter, String differing) {
        // when
        var sent = PropertyFilter.properties(filter, 0);
        var other = PropertyFilter.properties(filter, 7);
        var components = PropertyFilter.selector(filter, 7).split(" AND ", -1);

        // then
        assertThat(sent).hasSize(25).containsEntry(differing, "#0");
        assertThat(other).hasSize(25).containsEntry(differing, "#7");
        other.remove(differing);
        assertThat(sent).containsAllEntriesOf(other);
        assertThat(components)
                .hasSize(25)
                .startsWith("p1 = '" + (differing.equals("p1") ? "#7" : "#0") + "'")
                .contains(differing + " = '#7'");
    }

    @Test
    void shouldOfferTwentyFiveValuesOfWhichOneIsSent() {
        // when
        var values = PropertyFilter.selector(FilterKind.OR, 7).split(" OR ", -1);

        // then
        assertThat(values).hasSize(25).doesNotHaveDuplicates().endsWith("p = '#7'");
        assertThat(PropertyFilter.properties(FilterKind.OR, 7)).containsOnly(entry("p", "#7"));
    }
}
