package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Batch;
import winnow.store.Table;
import winnow.wire.MessageBlock;
import winnow.wire.WireWriter;
import winnow.wire.Xid;

/// Knowledge of a prepared transaction after a restart.
class PreparedRestartTest extends GroupRig {
    private static final Xid XID = new Xid(1, new byte[] {1}, new byte[] {2});

    @BeforeEach
    void allowFailures() {
        config = config(4000, 10, 0);
        restart();
    }

    private void prepare(StoredTransaction transaction) {
        shard.transactions().prepare(XID, transaction, Outcome.IGNORED);
        settle();
    }

    private void rollback() {
        shard.transactions().rollback(XID, Outcome.IGNORED, () -> {});
        settle();
    }

    private void commit() {
        shard.transactions().commit(XID, Outcome.IGNORED, () -> {});
        settle();
    }

    private StoredTransaction receive(long... sequences) {
        StoredTransaction transaction = new StoredTransaction();
        StoredConsumer consumer = consumer(first, sequences.length);
        settle();
        for (long sequence : sequences) {
            transaction.acknowledge(consumer, sequence);
        }
        return transaction;
    }

    @Test
    void shouldKeepAGroupUntilItIsRolledBack() {
        // given
        send("a", 1);
        send("a", 2);
        prepare(receive(0, 1));
        restart();
        consumer(second, 100);
        send("a", 3);
        send("b", 1);
        settle();
        assertThat(second).containsExactly("b4");

        // when
        rollback();

        // then
        assertThat(second).containsExactly("b4", "a1", "a2", "a3");
    }

    @Test
    void shouldKeepAGroupUntilItIsCommitted() {
        send("a", 1);
        prepare(receive(0));
        restart();
        consumer(second, 100);
        send("a", 2);
        settle();
        assertThat(second).isEmpty();

        commit();

        assertThat(second).containsExactly("a2");
    }

    /// One whose sender's clock is ahead by three seconds.
    private void prepareEarlier() {
        byte[] bytes = Blocks.bytes(new Spec(1, true, 4, 5000, 0, 8));
        MessageBlock block = new MessageBlock();
        block.parse(bytes, 0, bytes.length);
        block.moveTimes(-3000);
        StoredTransaction transaction = new StoredTransaction();
        transaction.send(shard.queue("q"), bytes, MessageHeaders.of(block, Recipients.NONE, 0));
        prepare(transaction);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKnowWhenAMessageExpiresWhoseSendersClockIsAhead(boolean restarts) {
        prepareEarlier();
        if (restarts) {
            restart();
        }
        commit();
        assertThat(messages("q")).isEqualTo(1);

        shard.onTime(2100);
        settle();

        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldReadRowsOfTheOlderFormat() {
        // given
        send("a", 1);
        settle();
        StoredSubscription queue = shard.queue("q").queue();
        WireWriter row = new WireWriter(64);
        row.writeByte(1);
        row.writeVarint(1);
        row.writeVarint(queue.destination().id());
        Recipients.NONE.write(row);
        row.writeBytes(block("sent", "b", 0, 1));
        row.writeVarint(1);
        row.writeVarint(queue.id());
        row.writeVarlong(0);
        row.writeByte(4);
        row.writeVarint((int) queue.bytes());
        Batch batch = new Batch();
        batch.put(Table.PREPARED, XID.bytes(), row.toByteArray());
        log.damage(batch);

        // when
        restart();

        // then
        consumer(second, 100);
        settle();
        assertThat(second).isEmpty();
        commit();
        assertThat(second).containsExactly("sent");
        assertThat(messages("q")).isEqualTo(1);
    }
}
