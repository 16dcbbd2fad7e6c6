package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
import winnow.store.Table;

/// Times to live and delays while the wall clock of the machine jumps.
class ShardTimeTest extends ShardRig {
    private static final long HOUR = 3_600_000;

    @BeforeEach
    void begin() {
        clocks(1000, 0);
    }

    private static Spec expiring(long id, long millis) {
        return new Spec(id, true, 4, millis, 0, 8);
    }

    private static Spec delayed(long id, long millis) {
        return new Spec(id, true, 4, 0, millis, 8);
    }

    @Test
    void shouldKeepAMessageWhoseTimeToLiveIsNotOverWhenTheClockJumpsAhead() {
        send(shard.queue("q"), expiring(1, 61_000));
        settle();

        clocks(1000 + HOUR, 0);
        clocks(60_000 + HOUR, 59_000);
        assertThat(messages("q")).isEqualTo(1);

        clocks(62_000 + HOUR, 66_100);
        assertThat(messages("q")).isZero();
        assertThat(shard.queue("q").counts().expired()).isEqualTo(1);
    }

    @Test
    void shouldLetAMessageExpireThoughTheClockJumpsBack() {
        send(shard.queue("q"), expiring(1, HOUR + 1000));
        settle();

        clocks(1000 - HOUR, 0);
        clocks(1000 + HOUR / 2, HOUR * 3 / 2);

        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldEndADelayWhenItWouldHaveEndedWithoutAJump() {
        consumer(shard.queue("q").queue());
        send(shard.queue("q"), delayed(1, 11_000));
        settle();

        clocks(1000 + HOUR, 5000);
        assertThat(received).isEmpty();

        clocks(1000 + HOUR, 10_100);
        assertThat(received).containsExactly("1");
    }

    @Test
    void shouldCountByTheClockAsItIsForWhatComesAfterAJump() {
        clocks(1000 + HOUR, 0);
        consumer(shard.queue("q").queue());
        send(shard.queue("q"), delayed(1, HOUR + 2000));
        send(shard.queue("q"), new Spec(2, true, 4, HOUR + 500, 0, 8));
        send(shard.queue("q"), new Spec(3, true, 4, HOUR + 2000, 0, 8));
        settle();
        assertThat(received).containsExactly("3");

        clocks(1000 + HOUR, 1100);
        assertThat(received).containsExactly("3", "1");
    }

    @Test
    void shouldKeepTheTimeToLiveOfAMessageThatIsForwarded() {
        StoredDestination delayed = shard.queue("delayed");
        send(delayed, new Spec(1, true, 4, 61_000, 11_000, 8));
        settle();
        clocks(1000 + HOUR, 11_000);

        MessageHeaders headers =
                MessageHeaders.of(Blocks.block(expiring(1, 61_000)), Recipients.NONE, 0);
        shard.transactions()
                .forward(delayed, 0, shard.queue("q"), Blocks.bytes(expiring(1, 61_000)), headers);
        settle();

        assertThat(messages("q")).isEqualTo(1);
        clocks(1000 + HOUR, 67_000);
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldReadTimesFromTheLogAsTheyWereBeforeAJump() {
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 100; i++) {
            send(queue, new Spec(i, true, 4, 61_000, 0, 1000));
        }
        settle();
        assertThat(queue.messagesInWindow()).isLessThan(100);

        clocks(1000 + HOUR, 0);
        consumer(queue.queue());
        settle();

        assertThat(received).hasSize(100);
    }

    @Test
    void shouldKnowAfterARestartHowFarTheClockHadJumped() {
        send(shard.queue("q"), expiring(1, 61_000));
        clocks(1000 + HOUR, 0);
        send(shard.queue("q"), expiring(2, 61_000 + HOUR));
        send(shard.queue("q"), expiring(3, 91_000 + HOUR));
        settle();

        openAt(31_000 + HOUR);
        clocks(31_000 + HOUR, 500);
        assertThat(messages("q")).isEqualTo(3);

        clocks(62_000 + HOUR, 36_100);
        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldWriteNothingWhileTheClockRunsWell() {
        long rows = log.tables().size(Table.META);

        for (int i = 1; i < 100; i++) {
            clocks(1000 + 1001L * i, 1000L * i);
        }

        assertThat(log.tables().size(Table.META)).isEqualTo(rows);
    }

    @Test
    void shouldKnowOfAJumpAfterAPowerFailure() {
        send(shard.queue("q"), expiring(1, 61_000));
        settle();
        clocks(1000 + HOUR, 0);

        tasks.clear();
        // Nothing that was not synced.
        log = log.crash(true, () -> 0, tasks::add);
        openAt(31_000 + HOUR);
        clocks(31_000 + HOUR, 500);

        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldKnowOfAJumpThatAFailedLogDoesNotHave() {
        // given
        send(shard.queue("q"), expiring(1, 61_000));
        settle();
        log.fail(LogException.Reason.IO);
        clocks(1000 + HOUR, 0);
        ShardTime time = shard.time();

        // when
        tasks.clear();
        log = log.crash(false, new Random(1), tasks::add);
        shard = ShardRecovery.open(log, config, tasks::add, tasks::add, _ -> "", time, true);
        clocks(31_000 + HOUR, 30_000);

        // then
        assertThat(messages("q")).isEqualTo(1);
        openAt(41_000 + HOUR);
        clocks(41_000 + HOUR, 500);
        assertThat(messages("q")).isEqualTo(1);
        clocks(62_000 + HOUR, 26_100);
        assertThat(messages("q")).isZero();
    }

    private void openAt(long wallMillis) {
        tasks.clear();
        log = log.crash(false, new Random(1), tasks::add);
        shard =
                ShardRecovery.open(
                        log,
                        config,
                        tasks::add,
                        tasks::add,
                        number -> "name " + number,
                        wallMillis);
    }
}
