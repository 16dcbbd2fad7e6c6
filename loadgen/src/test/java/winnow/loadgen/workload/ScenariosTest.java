package winnow.loadgen.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScenariosTest {

    @ParameterizedTest
    @MethodSource("names")
    void shouldLoadEveryScenarioWithDistinctPoints(String name) {
        // given
        var scenario = Scenarios.named(name);

        // when
        var full = scenario.points(Extent.FULL.grid(scenario));
        var quick = scenario.points(Extent.QUICK.grid(scenario));

        // then
        assertThat(scenario.name()).isEqualTo(name);
        assertThat(new HashSet<>(full)).hasSameSizeAs(full);
        assertThat(new HashSet<>(quick)).hasSameSizeAs(quick);
        assertThat(quick).isNotEmpty().hasSizeLessThan(full.size());
    }

    @Test
    void shouldMeasureThePapersGridWithoutFiltersAndWithoutCopiesToo() {
        // given
        var scenario = Scenarios.named("4.9-correlation");

        // when
        var points = scenario.points(scenario.full());

        // then
        var fitted = points.stream().filter(point -> point.use() == PointUse.FIT).toList();
        assertThat(fitted).hasSize(49).allMatch(point -> point.publishers() == 5);
        assertThat(fitted).extracting(Point::matching).contains(0, 1, 2, 5, 10, 20, 40);
        assertThat(fitted).extracting(Point::others).contains(0, 5, 10, 20, 40, 80, 160);
        assertThat(points).filteredOn(point -> point.use() == PointUse.HELD_OUT).hasSize(8);
    }

    @Test
    void shouldHoldOutWhatIsAlsoInTheGrid() {
        // given
        var scenario = Scenarios.named("4.9-property");
        var grid = new Grid(List.of(1, 2), List.of(0, 5), List.of(new Grid.Combination(2, 5)));

        // when
        var points = scenario.points(grid);

        // then
        assertThat(points).hasSize(4);
        assertThat(points)
                .filteredOn(point -> point.use() == PointUse.HELD_OUT)
                .singleElement()
                .satisfies(point -> assertThat(point.matching()).isEqualTo(2))
                .satisfies(point -> assertThat(point.others()).isEqualTo(5));
    }

    @Test
    void shouldNotClaimThePapersFilters() {
        // given
        var scenario = Scenarios.named("4.9-correlation");

        // when
        var other = scenario.withFilter(FilterKind.PROPERTY);

        // then
        assertThat(other.title()).endsWith("replication grade, but with property filters");
        assertThat(other.source()).startsWith("like ").endsWith(", but with property filters");
        assertThat(scenario.withFilter(FilterKind.CORRELATION_ID)).isEqualTo(scenario);
    }

    @Test
    void shouldBoundCopiesInFlightWhateverTheirNumber() {
        // given
        var settings = LoadSettings.defaults(Extent.QUICK, 100_000_000);

        // then
        assertThat(settings.maxInFlight(2)).isEqualTo(200_000_000);
        assertThat(settings.maxInFlight(40)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldRefuseAnUnknownName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scenarios.named("5.1"))
                .withMessageContaining("found '5.1'");
    }

    static List<String> names() {
        return Scenarios.names();
    }
}
