package winnow.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Work of 100 ns per unit, by a clock that the test moves.
class MatchTurnTest {
    private static final long NANOS_PER_UNIT = 100;

    private long nanos = 1;
    private final MatchTurn turn = new MatchTurn(() -> nanos);

    /// Works until the turn is over, or for so many units.
    ///
    /// @return how long it worked
    private long work(long units) {
        long start = nanos;
        long done = 0;
        int allowed = turn.unitsAllowed();
        while (allowed > 0 && done < units) {
            done += allowed;
            nanos += allowed * NANOS_PER_UNIT;
            allowed = turn.unitsAllowed();
        }
        return nanos - start;
    }

    @Test
    void shouldEndALongMatch() {
        turn.begin(MatchTurn.READ_NANOS);
        turn.beginMatch();

        assertThat(work(Long.MAX_VALUE))
                .isBetween(MatchTurn.READ_NANOS / 2, MatchTurn.READ_NANOS + MatchTurn.LOOK_NANOS);
        assertThat(turn.unitsAllowed()).isZero();
    }

    @Test
    void shouldLookAtTheClockAfterAboutAsMuchTimeAgain() {
        turn.begin(Long.MAX_VALUE);
        turn.beginMatch();
        work(5_000);
        turn.beginMatch();

        assertThat(turn.unitsAllowed() * NANOS_PER_UNIT)
                .isBetween(MatchTurn.LOOK_NANOS / 2, MatchTurn.LOOK_NANOS);
    }

    @Test
    void shouldCountWorkOfShortMatchesAndNotWhatIsBetween() {
        // given matches of one look each, with a second in between
        turn.begin(MatchTurn.READ_NANOS);

        // when
        int matches = 0;
        int units = 0;
        int allowed;
        do {
            turn.beginMatch();
            nanos += 1_000_000_000;
            allowed = turn.unitsAllowed();
            matches++;
            units += allowed;
        } while (allowed > 0);

        // then
        assertThat(units * MatchTurn.NANOS_PER_UNIT)
                .isBetween(MatchTurn.READ_NANOS / 2, MatchTurn.READ_NANOS);
        assertThat(matches).isGreaterThan(10);
    }

    @Test
    void shouldBeginAnew() {
        turn.begin(MatchTurn.READ_NANOS);
        work(Long.MAX_VALUE);

        turn.begin(MatchTurn.STEP_NANOS);

        assertThat(work(Long.MAX_VALUE))
                .isBetween(MatchTurn.STEP_NANOS / 4, MatchTurn.STEP_NANOS + MatchTurn.LOOK_NANOS);
    }
}
