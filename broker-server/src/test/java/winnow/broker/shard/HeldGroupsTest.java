package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.wire.Xid;

class HeldGroupsTest extends GroupRig {
    private static final Xid XID = new Xid(1, new byte[] {1}, new byte[] {2});

    private static boolean any(byte[] block) {
        return block.length > 0;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepAGroupUntilWhatAnEndedConsumerHadIsSettled(boolean filtered) {
        MessageFilter filter = filtered ? HeldGroupsTest::any : null;
        StoredConsumer ending = consumer(first, 2, filter);
        send("a", 1);
        send("a", 2);
        settle();
        shard.detach(ending, sequence -> true);
        consumer(second, 100, filter);
        send("a", 3);
        send("b", 1);
        settle();
        assertThat(second).containsExactly("b4");
        acknowledge(ending, 0);
        assertThat(second).containsExactly("b4");

        shard.release(ending, new long[] {1}, Return.FAILED);
        settle();

        assertThat(second).containsExactly("b4", "a2", "a3");
    }

    @Test
    void shouldGoOnWithAGroupWhenWhatAnEndedConsumerHadIsAcknowledged() {
        StoredConsumer ending = consumer(first, 1);
        send("a", 1);
        settle();
        shard.detach(ending, sequence -> true);
        consumer(second, 100);
        send("a", 2);
        settle();

        acknowledge(ending, 0);

        assertThat(second).containsExactly("a2");
        assertThat(shard.settlement().heldGroups().heapBytes()).isZero();
    }

    @Test
    void shouldChargeWhatWaitsForAGroupThatIsAway() {
        // given
        StoredConsumer ending = consumer(first, 1);
        send("a", 1);
        settle();
        shard.detach(ending, sequence -> true);
        consumer(second, 1000);

        // when messages of the group come between others
        for (int i = 0; i < 300; i++) {
            send("a", 2);
            send("b", 1);
        }
        settle();

        // then
        HeldGroups groups = shard.settlement().heldGroups();
        assertThat(groups.heapBytes()).isBetween(HeapCost.BITMAP + 500L, HeapCost.BITMAP + 700L);

        // and when it comes back
        acknowledge(ending, 0);
        assertThat(second).hasSize(600);
        assertThat(groups.heapBytes()).isZero();
    }

    @Test
    void shouldKeepAGroupUntilAPreparedTransactionIsDecided() {
        StoredConsumer consumer = consumer(first, 1);
        send("a", 1);
        settle();
        StoredTransaction transaction = new StoredTransaction();
        transaction.acknowledge(consumer, 0);
        shard.transactions().prepare(XID, transaction, Outcome.IGNORED);
        send("a", 2);
        shard.onCredit(consumer, 100, 100_000);
        settle();
        assertThat(first).containsExactly("a1");

        shard.transactions().rollback(XID, Outcome.IGNORED, () -> {});
        settle();

        assertThat(first).containsExactly("a1", "a1", "a2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndAGroupWhenATransactionCommitsItsLastMessage(boolean another) {
        // given a group, of whose messages the consumer may have another one
        StoredConsumer consumer = consumer(first, 2);
        if (another) {
            send("a", 1);
        }
        send("a", -1);
        settle();
        StoredTransaction transaction = new StoredTransaction();
        transaction.acknowledge(consumer, another ? 1 : 0);
        shard.transactions().prepare(XID, transaction, Outcome.IGNORED);
        settle();
        consumer(second, 100);

        // when
        shard.transactions().commit(XID, Outcome.IGNORED, () -> {});
        settle();
        if (another) {
            acknowledge(consumer, 0);
        }

        // then
        Groups groups = shard.queue("q").queue().lanes().list().getLast().groups;
        assertThat(groups.count()).isZero();
    }

    @Test
    void shouldLetAGroupWaitForItsFirstMessage() {
        config = config(4000, 10, 100);
        restart();
        StoredConsumer consumer = consumer(first, 100);
        for (int i = 0; i < 6; i++) {
            send("a", i);
        }
        settle();
        first.clear();

        shard.release(consumer, new long[] {0}, Return.FAILED);
        settle();
        assertThat(first).as("after the first failed attempt").containsExactly("a1");
        first.clear();
        shard.release(consumer, new long[] {0}, Return.FAILED);
        shard.release(consumer, sequences(1, 5), Return.UNSEEN);
        send("b", 1);
        settle();
        assertThat(first).containsExactly("b7");
        assertThat(shard.nowMillis() + shard.nextMillis()).isEqualTo(1100);
        assertThat(shard.queue("q").queue().availableMessages()).isEqualTo(6);

        shard.onTime(1100);
        settle();

        assertThat(first).containsExactly("b7", "a1", "a2", "a3", "a4", "a5", "a6");
    }

    @Test
    void shouldLetAGroupWaitForAMessageThatFailsAgain() {
        config = config(4000, 4, 100);
        restart();
        StoredConsumer consumer = consumer(first, 1);
        send("a", 1);
        send("a", 2);
        settle();
        shard.release(consumer, new long[] {0}, Return.FAILED);
        settle();
        for (int attempt = 2; attempt < 4; attempt++) {
            assertThat(first).hasSize(attempt);
            shard.release(consumer, new long[] {0}, Return.FAILED);
            settle();
            assertThat(first).hasSize(attempt);
            shard.onTime(shard.nowMillis() + 100);
            settle();
        }

        shard.release(consumer, new long[] {0}, Return.FAILED);
        settle();

        assertThat(first).containsExactly("a1", "a1", "a1", "a1", "a2");
        assertThat(messages("dead-letters")).isOne();
    }

    @Test
    void shouldLetAMessageWaitAloneWhereTooManyGroupsWait() {
        config = config(4000, 10, 100);
        restart();
        StoredConsumer consumer = consumer(first, 1000);
        int groups = 400;
        for (int group = 0; group < groups; group++) {
            send("g" + group, 1);
        }
        settle();
        shard.release(consumer, sequences(0, groups), Return.FAILED);
        settle();
        assertThat(first).hasSize(2 * groups);
        first.clear();

        shard.release(consumer, sequences(0, groups), Return.FAILED);
        settle();

        assertThat(first).isEmpty();
        assertThat(shard.settlement().heldGroups().heapBytes())
                .isLessThanOrEqualTo(config.heldGroupBytes());
        // A tick of the timetable later.
        shard.onTime(1116);
        settle();
        assertThat(first).hasSize(groups);
        assertThat(shard.settlement().heldGroups().heapBytes()).isZero();
    }
}
