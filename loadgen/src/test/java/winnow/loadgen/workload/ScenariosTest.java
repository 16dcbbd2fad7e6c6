package winnow.loadgen.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
        var full = scenario.points(Extent.FULL);
        var quick = scenario.points(Extent.QUICK);

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
        var points = scenario.points(Extent.FULL);

        // then
        var fitted = points.stream().filter(point -> point.use() == PointUse.FIT).toList();
        assertThat(fitted).hasSize(49).allMatch(point -> point.publishers() == 5);
        assertThat(fitted).extracting(Point::matching).contains(0, 1, 2, 5, 10, 20, 40);
        assertThat(fitted).extracting(Point::others).contains(0, 5, 10, 20, 40, 80, 160);
        assertThat(points).filteredOn(point -> point.use() == PointUse.HELD_OUT).hasSize(8);
    }

    @Test
    void shouldEstimateTheTimeOfBareSocketsToo() {
        // given: a bare socket is measured for each size of bodies
        var scenario = Scenarios.named("4.3");
        var settings = LoadSettings.defaults(Extent.QUICK, LoadSettings.NO_BOUND);
        var points = scenario.points(Extent.QUICK);
        var bodies = points.stream().map(Point::bodyBytes).distinct().count();

        // when
        var time = scenario.estimatedTime(Extent.QUICK, settings);

        // then
        assertThat(bodies).isGreaterThan(2);
        assertThat(time)
                .isEqualTo(
                        settings.estimatedTime()
                                .multipliedBy(3L * points.size())
                                .plus(Duration.ofMillis(375 * bodies)));
    }

    @Test
    void shouldMeasureWhatThePaperDoes() {
        // then
        assertThat(full("4.1"))
                .allMatch(point -> point.subscribers() == 1)
                .extracting(Point::publishers)
                .contains(1, 20, 40);
        assertThat(full("4.2")).extracting(Point::subscribers).contains(1, 320);
        assertThat(full("4.3"))
                .allMatch(point -> point.publishers() == 10 && point.subscribers() == 1);
        assertThat(full("4.4")).extracting(Point::filter).contains(FilterKind.values());
        assertThat(full("4.5")).allMatch(point -> point.publishers() == 5);
        assertThat(full("4.6")).allMatch(point -> point.targets() == point.subscribers());
        assertThat(full("4.7"))
                .filteredOn(point -> point.alternatives() > 1)
                .isNotEmpty()
                .allMatch(point -> point.subscribers() == 5);
        assertThat(full("4.8"))
                .allMatch(point ->
                        point.publishers() == 10
                                && point.subscribers() == 10
                                && point.properties() == 25)
                .extracting(Point::conditions)
                .contains(1, 25);
    }

    @Test
    void shouldDrawSomethingOfEveryScenario() {
        for (var scenario : Scenarios.all()) {
            var points = scenario.points(Extent.QUICK);
            var figure = scenario.figure();
            assertThat(points.stream().map(figure.across()::of).distinct())
                    .as(scenario.name())
                    .hasSizeGreaterThan(1);
            var ratio = figure.ratio();
            if (ratio != null) {
                assertThat(points.stream().map(figure::seriesOf)).contains(ratio.of(), ratio.to());
            }
        }
    }

    @Test
    void shouldHoldOutWhatIsAlsoInAProduct() {
        // given
        var product = Point.of(FilterKind.PROPERTY, 5, 1, 0);
        var scenario =
                Scenarios.named("4.9-property")
                        .with(Map.of("matching", List.of(1, 2), "others", List.of(0, 5)));

        // when
        var heldOut =
                new Axes(Map.of())
                        .with("filter", List.of("property"))
                        .with("use", List.of("held-out"));
        var points = Scenario.points(List.of(scenario.full().getFirst(), heldOut));

        // then
        assertThat(points).hasSize(4);
        assertThat(points)
                .filteredOn(point -> point.use() == PointUse.HELD_OUT)
                .containsExactly(product.with("use", "held-out"));
    }

    @Test
    void shouldHoldOutNothingThatWasChosen() {
        // when
        var chosen = Scenarios.named("4.9-property").with(Map.of("matching", List.of(1, 3)));

        // then
        assertThat(chosen.points(Extent.FULL))
                .hasSize(14)
                .allMatch(point -> point.use() == PointUse.FIT);
    }

    @Test
    void shouldTakeThePartWithAKindOfFilter() {
        // when
        var part = Scenarios.named("4.6").withFilter(FilterKind.PROPERTY);

        // then
        assertThat(part.title()).isEqualTo(Scenarios.named("4.6").title());
        assertThat(part.points(Extent.QUICK))
                .isNotEmpty()
                .allMatch(point -> point.series().equals("property"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldTellAllPointsOfAScenarioApart(String name) {
        var scenario = Scenarios.named(name);

        assertThat(scenario.figure().apart(scenario.points(Extent.FULL)))
                .isEqualTo(scenario.figure());
        assertThat(scenario.with(Map.of())).isEqualTo(scenario);
    }

    @Test
    void shouldDrawACurveForEachValueThatWasAdded() {
        // when
        var scenario = Scenarios.named("4.6").with(Map.of("bodyBytes", List.of(0, 1000)));
        var points = scenario.points(Extent.QUICK);

        // then
        var figure = scenario.figure().apart(points);
        assertThat(figure.series()).containsExactly("series", "bodyBytes");
        assertThat(points.stream().map(figure::seriesOf))
                .contains("property, bodyBytes = 0", "property, bodyBytes = 1000");
    }

    @Test
    void shouldNotClaimThePapersFigureForOtherValues() {
        // when
        var scenario = Scenarios.named("4.1").with(Map.of("publishers", List.of(3)));

        // then
        assertThat(scenario.title()).endsWith(", but publishers = 3");
        assertThat(scenario.source()).startsWith("like FioranoMQ paper, section 4.1");
        assertThat(scenario.figure().paper()).isEmpty();
        assertThat(scenario.figure().says()).isEmpty();
    }

    @Test
    void shouldCountBytesOnTheWireAsThePaper() {
        // then: 40 + 32 + 20 + 38 bytes, and three headers for each further segment of 1,448 bytes
        assertThat(WireBytes.ofMessage(0)).isEqualTo(130);
        assertThat(WireBytes.ofMessage(1_408)).isEqualTo(1_448 + 90);
        assertThat(WireBytes.ofMessage(1_409)).isEqualTo(1_449 + 180);
        assertThat(Quantity.MEGABITS.of(Point.of(Map.of()), 1_000, 1_000))
                .isEqualTo(2_000 * 130 * 8 / 1e6);
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
        var point = Point.of(Map.of("matching", 2));

        // then
        assertThat(settings.maxInFlight(point)).isEqualTo(200_000_000);
        assertThat(settings.maxInFlight(point.with("matching", 40))).isEqualTo(Integer.MAX_VALUE);
        assertThat(settings.maxInFlight(point.with("bodyBytes", 1 << 20))).isEqualTo(64);
        assertThat(settings.maxInFlight(point.with("bodyBytes", 1 << 26))).isEqualTo(10);
    }

    @Test
    void shouldRefuseAnUnknownName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scenarios.named("5.1"))
                .withMessageContaining("found '5.1'");
    }

    private static List<Point> full(String name) {
        return Scenarios.named(name).points(Extent.FULL);
    }

    static List<String> names() {
        return Scenarios.names();
    }
}
