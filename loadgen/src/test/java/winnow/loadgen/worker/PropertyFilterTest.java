package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Point;

class PropertyFilterTest {

    @ParameterizedTest
    @CsvSource({"first, p1", "middle, p13", "last, p25"})
    void shouldDifferInOneOfTwentyFiveProperties(String order, String differing) {
        // given
        var point = Point.of(Map.of("filter", "property", "conditions", 25, "order", order));

        // when
        var sent = PropertyFilter.properties(point, 0);
        var other = PropertyFilter.properties(point, 7);
        var components = PropertyFilter.selector(point, 7).split(" AND ", -1);

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

    @ParameterizedTest
    @CsvSource({
        "first, p1 = '#2' AND p2 = '#0' AND p3 = '#0' AND p4 = '#0'",
        "middle, p1 = '#0' AND p2 = '#2' AND p3 = '#0' AND p4 = '#0'",
        "last, p1 = '#0' AND p2 = '#0' AND p3 = '#0' AND p4 = '#2'"
    })
    void shouldLookAtTheConditionsAlone(String order, String selector) {
        // given: 25 properties of which the filter looks at four
        var point =
                Point.of(
                        Map.of(
                                "filter",
                                "property",
                                "conditions",
                                4,
                                "properties",
                                25,
                                "order",
                                order));

        // then: in the middle of four are two, of which the lower ids have the first
        assertThat(PropertyFilter.selector(point, 2)).isEqualTo(selector);
        assertThat(PropertyFilter.properties(point, 2)).hasSize(25);
        assertThat(PropertyFilter.selector(point.with("order", "middle"), 3))
                .contains("p2 = '#0' AND p3 = '#3'");
    }

    @Test
    void shouldOfferTheIdsOfASubscriberAsAlternatives() {
        // given
        var point = Point.of(FilterKind.PROPERTY, 5, 1, 0).with("alternatives", 3);

        // then
        assertThat(PropertyFilter.selector(point, 7)).isEqualTo("p = '#7' OR p = '#8' OR p = '#9'");
        assertThat(PropertyFilter.properties(point, 7)).containsOnly(entry("p", "#7"));
        assertThat(PropertyFilter.selector(point.with("conditions", 2), 7))
                .startsWith("(p1 = '#7' AND p2 = '#0') OR (p1 = '#8'");
    }
}
