package winnow.loadgen.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PointTest {

    @Test
    void shouldLetMatchingSubscribersFilterOnTheSentIdAndOthersOnOneEach() {
        // given
        var point = new Point(FilterKind.PROPERTY, Sending.ONE_ID, 5, 2, 3, PointUse.FIT);

        // when
        var ids = IntStream.range(0, point.subscribers()).map(point::subscribedId);

        // then
        assertThat(ids).containsExactly(0, 0, 1, 2, 3);
        assertThat(point.sentIds()).containsExactly(0);
        assertThat(point.installedFilters()).isEqualTo(5);
    }

    @Test
    void shouldGiveEverySubscriberItsIdInRoundRobin() {
        // given
        var point =
                new Point(FilterKind.CORRELATION_ID, Sending.ROUND_ROBIN, 5, 1, 3, PointUse.FIT);

        // when
        var ids = IntStream.range(0, point.subscribers()).map(point::subscribedId);

        // then
        assertThat(ids).containsExactly(1, 2, 3, 4);
        assertThat(point.sentIds()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void shouldInstallNoFiltersWhereThereAreNone() {
        // given
        var point = new Point(FilterKind.NONE, Sending.ONE_ID, 1, 40, 0, PointUse.FIT);

        // when
        var filters = point.installedFilters();

        // then
        assertThat(filters).isZero();
    }

    @Test
    void shouldRefuseCombinationsThatMeanNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Point(FilterKind.NONE, Sending.ONE_ID, 1, 1, 1, PointUse.FIT));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Point(FilterKind.PROPERTY, Sending.ROUND_ROBIN, 1, 2, 1, PointUse.FIT));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Point(FilterKind.PROPERTY, Sending.ONE_ID, 0, 1, 1, PointUse.FIT));
    }
}
