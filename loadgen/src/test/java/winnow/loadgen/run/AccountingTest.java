package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.worker.Receipt;
import winnow.loadgen.worker.Tally;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Point;

class AccountingTest {

    private static final Point POINT = Point.of(FilterKind.PROPERTY, 5, 2, 1);

    private static final List<Tally> SENT = List.of(new Tally(100, 77));

    @Test
    void shouldFindNothingWrongWhenMatchingSubscribersGotEverything() {
        // given
        var receipts = List.of(receipt(100, 77), receipt(100, 77), receipt(0, 0));

        // when
        var accounting = Accounting.of(POINT, SENT, receipts);

        // then
        assertThat(accounting).isEqualTo(new Accounting(200, 200, 0, 0, 0, 0));
        assertThat(accounting.problems()).isEmpty();
    }

    @Test
    void shouldNotLetADoubledCopyMakeUpForALostOneOfAnotherSubscriber() {
        // given
        var receipts = List.of(receipt(98, 5), receipt(102, 6), receipt(0, 0));

        // when
        var accounting = Accounting.of(POINT, SENT, receipts);

        // then
        assertThat(accounting.lost()).isEqualTo(2);
        assertThat(accounting.doubled()).isEqualTo(2);
        assertThat(accounting.problems())
                .containsExactly(
                        "2 of 200 copies were lost", "2 copies arrived that nobody expected");
    }

    @Test
    void shouldCountACopyThatNoFilterSelects() {
        // given
        var receipts = List.of(receipt(100, 77), receipt(100, 77), receipt(1, 9));

        // when
        var accounting = Accounting.of(POINT, SENT, receipts);

        // then
        assertThat(accounting.doubled()).isEqualTo(1);
    }

    @Test
    void shouldNoticeTheRightNumberOfWrongMessages() {
        // given
        var receipts = List.of(receipt(100, 78), receipt(100, 77), receipt(0, 0));

        // when
        var accounting = Accounting.of(POINT, SENT, receipts);

        // then
        assertThat(accounting.mistaken()).isEqualTo(1);
        assertThat(accounting.problems()).hasSize(1);
    }

    @Test
    void shouldExpectEverythingWithoutFilters() {
        // given
        var point = Point.of(FilterKind.NONE, 1, 1, 0);

        // when
        var accounting = Accounting.of(point, SENT, List.of(receipt(100, 77)));

        // then
        assertThat(accounting.expected()).isEqualTo(100);
        assertThat(accounting.problems()).isEmpty();
    }

    private static Receipt receipt(long count, long checksum) {
        return new Receipt(new Tally(count, checksum), 0);
    }
}
