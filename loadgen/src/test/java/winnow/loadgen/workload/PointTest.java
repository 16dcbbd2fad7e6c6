package winnow.loadgen.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PointTest {

    @Test
    void shouldLetMatchingSubscribersFilterOnTheSentIdAndOthersOnOneEach() {
        // given
        var point = Point.of(FilterKind.PROPERTY, 5, 2, 3);

        // then
        assertThat(firstIds(point)).containsExactly(0, 0, 1, 2, 3);
        assertThat(firstIds(point.with("identicalOthers", true))).containsExactly(0, 0, 1, 1, 1);
        assertThat(sentIds(point)).containsExactly(0);
        assertThat(point.installedFilters()).isEqualTo(5);
    }

    @Test
    void shouldGiveEveryGroupAnIdInTurn() {
        // given
        var point = Point.of(FilterKind.CORRELATION_ID, 5, 2, 1).with("groups", 3);

        // then: two subscribers for each id, and one for none
        assertThat(firstIds(point)).containsExactly(1, 1, 2, 2, 3, 3, 4);
        assertThat(sentIds(point)).containsExactly(1, 2, 3);
        assertThat(point.receivers()).isEqualTo(6);
        assertThat(point.selectedTargets(3)).containsExactly(1);
        assertThat(point.selectedTargets(6)).isEmpty();
    }

    @Test
    void shouldSpreadIdsOverFiltersWithAlternatives() {
        // given: 15 ids in turn, three in each of five filters
        var point =
                Point.of(FilterKind.PROPERTY, 5, 1, 2).with("groups", 5).with("alternatives", 3);

        // then
        assertThat(sentIds(point)).hasSize(15).startsWith(1, 2, 3, 4);
        assertThat(firstIds(point)).containsExactly(1, 4, 7, 10, 13, 16, 19);
        assertThat(point.selectedTargets(1)).containsExactly(3, 4, 5);
    }

    @Test
    void shouldSendToAllTopicsInTurn() {
        // given
        var point = Point.of(Map.of("topics", 3, "matching", 2));

        // then
        assertThat(point.targets()).isEqualTo(3);
        assertThat(IntStream.range(0, 3).map(point::topicOf)).containsExactly(0, 1, 2);
        assertThat(IntStream.range(0, 6).map(point::subscribedTopic))
                .containsExactly(0, 0, 1, 1, 2, 2);
        assertThat(point.selectedTargets(4)).containsExactly(2);
    }

    @Test
    void shouldSendEveryIdToEveryTopic() {
        // given
        var point = Point.of(FilterKind.PROPERTY, 1, 1, 2).with("topics", 2).with("groups", 3);

        // then: each target is for one receiver, and each receiver has one
        assertThat(point.targets()).isEqualTo(6);
        assertThat(IntStream.range(0, point.receivers()).flatMap(point::selectedTargets).sorted())
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(point.subscribedTopic(7)).isEqualTo(1);
        assertThat(point.selectedTargets(7)).isEmpty();
    }

    @Test
    void shouldInstallNoFiltersWhereThereAreNone() {
        // given
        var point = Point.of(FilterKind.NONE, 1, 40, 0);

        // then
        assertThat(point.installedFilters()).isZero();
        assertThat(point.selectedTargets(39)).containsExactly(0);
    }

    @Test
    void shouldNameWhatIsUnusual() {
        assertThat(Point.of(FilterKind.NONE, 5, 3, 0).label()).isEqualTo("r=3 publishers=5");
        assertThat(Point.of(FilterKind.PROPERTY, 1, 1, 3).with("topics", 4).label())
                .isEqualTo("property r=1 n=3 topics=4 publishers=1");
    }

    @Test
    void shouldRefuseCombinationsThatMeanNothing() {
        for (var refused :
                List.of(
                        Map.of("others", 1),
                        Map.of("groups", 2),
                        Map.of("filter", "correlation-id", "conditions", 2),
                        Map.of("publishers", 0),
                        Map.of("topics", 0),
                        Map.of("bodyBytes", -1),
                        Map.of("filter", "smell"),
                        Map.of("colour", 1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> Point.of(refused));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Point.of(Map.of("colour", 1)))
                .withMessageContaining("found 'colour'");
    }

    private static IntStream firstIds(Point point) {
        return IntStream.range(0, point.subscribers()).map(point::firstSubscribedId);
    }

    private static IntStream sentIds(Point point) {
        return IntStream.range(0, point.targets()).map(point::idOf);
    }

    @Test
    void shouldRefuseMoreSubscribersThanThereAreNumbers() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Point.of(FilterKind.PROPERTY, 1, 65_536, 0).with("topics", 65_536))
                .withMessageContaining("subscribers, found 4,294,967,296");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Point.of(FilterKind.PROPERTY, 1, 0, 65_536).with("alternatives", 65_536))
                .withMessageContaining("ids");
    }
}
