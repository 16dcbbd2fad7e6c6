package winnow.broker.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Work of 100 ns per unit, by a clock that the test moves.
class MatchTurnTest {
    private static final long NANOS_PER_UNIT = 100;
    private static final long LONG = MatchTurn.LONG_UNITS;

    private long nanos = 1;
    private final MatchTurn turn = new MatchTurn(() -> nanos);

    /// Works until the turn is over, or for so many units.
    ///
    /// @return how long it worked
    private long work(long units) {
        long start = nanos;
        long done = 0;
        int allowed = turn.unitsAllowed(LONG, 0);
        while (allowed > 0 && done < units) {
            done += allowed;
            nanos += allowed * NANOS_PER_UNIT;
            allowed = turn.unitsAllowed(LONG, 0);
        }
        return nanos - start;
    }

    @Test
    void shouldEndALongMatch() {
        turn.begin(MatchTurn.READ_NANOS);

        assertThat(work(Long.MAX_VALUE))
                .isBetween(MatchTurn.READ_NANOS / 2, MatchTurn.READ_NANOS + MatchTurn.LOOK_NANOS);
        assertThat(turn.unitsAllowed(LONG, 0)).isZero();
    }

    @Test
    void shouldLookAtTheClockAfterAboutAsMuchTimeAgain() {
        turn.begin(Long.MAX_VALUE);
        work(5_000);
        turn.begin(Long.MAX_VALUE);

        assertThat(turn.unitsAllowed(LONG, 0) * NANOS_PER_UNIT)
                .isBetween(MatchTurn.LOOK_NANOS / 2, MatchTurn.LOOK_NANOS);
    }

    @Test
    void shouldCountAllThatIsDoneInARead() {
        // given short matches, each with a look and with ten times as much work beside it
        turn.begin(MatchTurn.READ_NANOS);
        long start = nanos;

        // when
        int allowed = turn.unitsAllowed(LONG, 0);
        while (allowed > 0) {
            nanos += 10 * MatchTurn.MIN_UNITS * NANOS_PER_UNIT;
            allowed = turn.unitsAllowed(LONG, 0);
        }

        // then
        assertThat(nanos - start)
                .isBetween(MatchTurn.READ_NANOS / 2, MatchTurn.READ_NANOS + MatchTurn.LOOK_NANOS);
    }

    @Test
    void shouldLetAShortMatchEnd() {
        // given
        turn.begin(MatchTurn.READ_NANOS);
        work(Long.MAX_VALUE);

        // then
        assertThat(turn.isOver()).isTrue();
        assertThat(turn.unitsAllowed(0, 0)).isEqualTo((int) MatchTurn.LONG_UNITS);
        assertThat(turn.unitsAllowed(MatchTurn.LONG_UNITS - 1, 0)).isEqualTo(1);

        // when
        turn.begin(MatchTurn.READ_NANOS);

        // then
        assertThat(turn.isOver()).isFalse();
    }

    @Test
    void shouldGiveVeryShortMatchesMoreOfTheLoop() {
        // given
        turn.begin(MatchTurn.READ_NANOS);
        long start = nanos;

        // when
        while (!turn.isOver()) {
            nanos += turn.unitsAllowed(MatchTurn.VERY_SHORT_UNITS - 1, 0) * NANOS_PER_UNIT;
        }

        // then
        long limit = (long) (MatchTurn.VERY_SHORT_FACTOR * MatchTurn.READ_NANOS);
        assertThat(nanos - start).isBetween(limit / 2, limit + 2 * MatchTurn.LOOK_NANOS);
    }

    @Test
    void shouldLookAtTheClockWhereNoMatchAsks() {
        // given
        turn.begin(MatchTurn.READ_NANOS);
        long start = nanos;

        // when
        while (!turn.isOver()) {
            nanos += 1_000;
            turn.onRouted(40);
        }

        // then
        long limit = (long) (MatchTurn.VERY_SHORT_FACTOR * MatchTurn.READ_NANOS);
        assertThat(nanos - start).isBetween(limit / 2, limit + MatchTurn.LOOK_NANOS);
    }

    @Test
    void shouldNotCountWhatIsBetweenReads() {
        // given
        turn.begin(MatchTurn.READ_NANOS);
        work(MatchTurn.MIN_UNITS);

        // when
        turn.begin(MatchTurn.READ_NANOS);
        nanos += 1_000_000_000;

        // then
        assertThat(turn.unitsAllowed(LONG, 0)).isPositive();
    }

    @Test
    void shouldCountTheFirstPieceOfWork() {
        // given more than a turn
        long units = 2 * MatchTurn.READ_NANOS / MatchTurn.NANOS_PER_UNIT;

        // when, then
        turn.begin(MatchTurn.READ_NANOS);
        assertThat(turn.unitsAllowed(units, 0)).isZero();

        // and for a match that goes on, however much it has done before
        turn.beginStep();
        assertThat(turn.unitsAllowed(units, 0)).isPositive();
        turn.beginStep();
        nanos += MatchTurn.STEP_NANOS;
        assertThat(turn.unitsAllowed(units, 0)).isZero();
    }

    @Test
    void shouldCountWhatComesBeforeAMatchOfManyBytesAsks() {
        // given
        turn.begin(MatchTurn.READ_NANOS);
        turn.onManyBytes();

        // when
        nanos += MatchTurn.READ_NANOS;

        // then
        assertThat(turn.unitsAllowed(LONG, 0)).isZero();
    }

    @Test
    void shouldBeginAnew() {
        turn.begin(MatchTurn.READ_NANOS);
        work(Long.MAX_VALUE);

        turn.beginStep();

        assertThat(work(Long.MAX_VALUE))
                .isBetween(MatchTurn.STEP_NANOS / 4, MatchTurn.STEP_NANOS + MatchTurn.LOOK_NANOS);
    }
}
