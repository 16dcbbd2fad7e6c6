package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.broker.shard.Blocks.Spec;
import winnow.wire.Xid;

/// Messages that expire while they are with a consumer, and come back to a queue that nobody reads.
class ExpiredMeanwhileTest extends ShardRig {
    private static final Xid XID = new Xid(1, new byte[] {1}, new byte[] {2});
    private static final int MESSAGES = 20;
    private static final long EXPIRATION = 2000;

    private StoredDestination queue() {
        return shard.queue("q");
    }

    private void send(boolean persistent, int bodyBytes) {
        for (int i = 0; i < MESSAGES; i++) {
            send(queue(), new Spec(i, persistent, 4, EXPIRATION, 0, bodyBytes));
        }
        settle();
    }

    private void time(long millis) {
        shard.onTime(millis);
        settle();
    }

    private void expectGone() {
        // A tick of the timetable later.
        time(shard.nowMillis() + 16);
        assertThat(messages("q")).isZero();
        assertThat(queue().queue().unacknowledged()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true, 8", "true, 1000", "false, 8", "false, 1000"})
    void shouldGoWhenTheirConsumerEnds(boolean persistent, int bodyBytes) {
        // given small ones, which are in memory, or large ones, which leave it
        StoredConsumer consumer = consumer(queue().queue());
        send(persistent, bodyBytes);
        assertThat(received).hasSize(MESSAGES);
        time(EXPIRATION + 100);
        assertThat(messages("q")).isEqualTo(MESSAGES);

        // when
        shard.detach(consumer, Return.UNSEEN);
        settle();

        // then
        expectGone();
        assertThat(queue().counts().expired()).isEqualTo(MESSAGES);
    }

    @ParameterizedTest
    @EnumSource(Return.class)
    void shouldGoHoweverTheyComeBack(Return how) {
        config = config(4000, 10, 50);
        restart();
        StoredConsumer consumer = consumer(queue().queue());
        send(true, 8);
        time(EXPIRATION + 100);
        shard.detach(consumer, sequence -> true);

        shard.release(consumer, sequences(0, MESSAGES), how);
        settle();

        time(shard.nowMillis() + 50);
        expectGone();
        assertThat(queue().counts().expired()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldGoToTheDeadLettersWhereThePolicySaysSo() {
        config = config.withPolicies(Policies.of(Policy.DEFAULTS.withBuriesExpired(true)));
        restart();
        StoredConsumer consumer = consumer(queue().queue());
        send(true, 8);
        time(EXPIRATION + 100);

        shard.detach(consumer, Return.UNSEEN);
        settle();

        expectGone();
        assertThat(messages("dead-letters")).isEqualTo(MESSAGES);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void shouldGoWhenAPreparedTransactionIsRolledBack(boolean before, boolean after) {
        // given a restart before or after the time
        StoredConsumer consumer = consumer(queue().queue());
        send(true, 8);
        StoredTransaction transaction = new StoredTransaction();
        for (long sequence : sequences(0, MESSAGES)) {
            transaction.acknowledge(consumer, sequence);
        }
        shard.transactions().prepare(XID, transaction, Outcome.IGNORED);
        settle();
        shard.detach(consumer, Return.UNSEEN);
        if (before) {
            restart();
        }
        time(EXPIRATION + 100);
        if (after) {
            restart();
            time(EXPIRATION + 100);
        }
        assertThat(messages("q")).isEqualTo(MESSAGES);

        // when
        shard.transactions().rollback(XID, Outcome.IGNORED, () -> {});
        settle();

        // then
        expectGone();
    }

    @Test
    void shouldStayWithWhoHasThemWhileOthersGo() {
        StoredConsumer consumer = consumer(queue().queue());
        send(true, 8);
        time(EXPIRATION + 100);

        acknowledge(consumer, sequences(0, 10));
        shard.detach(consumer, sequence -> sequence < 15);
        settle();
        time(shard.nowMillis() + 16);

        assertThat(queue().queue().messages()).isEqualTo(5);
        assertThat(queue().counts().expired()).isEqualTo(5);
        acknowledge(consumer, sequences(10, 5));
        expectGone();
    }
}
