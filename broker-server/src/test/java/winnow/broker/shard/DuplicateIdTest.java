package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.wire.MessageBlock;
import winnow.wire.PropertyType;
import winnow.wire.WireWriter;

class DuplicateIdTest extends ShardRig {
    /// @param number of the property's name, 0 for inline
    /// @param id null for a property that is no string
    private static byte[] block(@Nullable String id, int number, boolean persistent) {
        WireWriter properties = new WireWriter(64);
        properties.writeVarint(number);
        if (number == 0) {
            properties.writeString("JMS_WINNOW_DuplicateId");
        }
        if (id == null) {
            properties.writeByte(PropertyType.TRUE);
        } else {
            properties.writeByte(PropertyType.STRING);
            properties.writeString(id);
        }
        WireWriter out = new WireWriter(64);
        out.writeByte(MessageBlock.HAS_PROPERTIES | (persistent ? MessageBlock.PERSISTENT : 0));
        out.writeByte(0);
        out.writeBytes(properties.toByteArray());
        return out.toByteArray();
    }

    private static MessageHeaders headers(byte[] block, int maxNameId) {
        MessageBlock parsed = new MessageBlock();
        parsed.parse(block, 0, block.length);
        return MessageHeaders.of(parsed, Recipients.NONE, maxNameId);
    }

    private static final class Answer implements Outcome {
        String text = "nothing";

        @Override
        public void onDone() {
            text = "done";
        }

        @Override
        public void onFailed(LogException failure) {
            text = "failed";
        }

        @Override
        public void onRefused(String reason) {
            text = reason;
        }
    }

    private String send(String queue, @Nullable String id, boolean persistent) {
        byte[] block = block(id, 0, persistent);
        Answer answer = new Answer();
        shard.append(shard.queue(queue), block, headers(block, 0), answer);
        settle();
        return answer.text;
    }

    @Test
    void shouldTakeAMessageOnceForEachDestination() {
        assertThat(send("q", "a", true)).isEqualTo("done");
        assertThat(send("q", "a", true)).isEqualTo("done");
        assertThat(send("q", "b", true)).isEqualTo("done");
        assertThat(send("r", "a", true)).isEqualTo("done");

        assertThat(messages("q")).isEqualTo(2);
        assertThat(messages("r")).isEqualTo(1);
    }

    @Test
    void shouldRecogniseAMessageAfterACrash() {
        send("q", "a", true);
        restart();

        send("q", "a", true);
        settle();

        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldRecogniseMessagesThatAreNotPersistentUntilACrash() {
        send("q", "a", false);
        send("q", "a", false);
        assertThat(messages("q")).isEqualTo(1);
        restart();

        send("q", "a", false);

        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldFindThePropertyByTheNumberOfItsName() {
        config = CONFIG;
        shard =
                ShardRecovery.open(
                        log,
                        config,
                        tasks::add,
                        tasks::add,
                        number -> number == 3 ? "JMS_WINNOW_DuplicateId" : "name " + number,
                        1000);
        for (int i = 0; i < 2; i++) {
            byte[] block = block("a", 3, true);
            shard.append(shard.queue("q"), block, headers(block, 3), Outcome.IGNORED);
        }
        settle();

        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldRefuseAPropertyThatIsNoString() {
        assertThat(send("q", null, true))
                .isEqualTo(
                        "expected a string as the property JMS_WINNOW_DuplicateId, found another"
                                + " type");
        assertThat(send("q", "", true))
                .isEqualTo(
                        "expected a string as the property JMS_WINNOW_DuplicateId, found an empty"
                                + " one");
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldTakeAMessageOfTransactionsOnce() {
        for (int i = 0; i < 2; i++) {
            StoredTransaction transaction = new StoredTransaction();
            byte[] block = block("a", 0, true);
            transaction.send(shard.queue("q"), block, headers(block, 0));
            shard.transactions().commit(transaction, "commit " + i, Outcome.IGNORED);
            settle();
        }

        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldStoreAMessageWhoseIdentifierIsTheNameOfATransaction() {
        byte[] block = block("a", 0, true);
        String id = shard.sentAgain().finder().find(shard.queue("q"), block, headers(block, 0));
        shard.transactions().commit(new StoredTransaction(), id, Outcome.IGNORED);
        settle();
        restart();

        assertThat(send("q", "a", true)).isEqualTo("done");

        assertThat(messages("q")).isEqualTo(1);
        assertThat(shard.transactions().committed(id)).isTrue();
        assertThat(shard.transactions().committed("")).isFalse();
    }

    @Test
    void shouldRefuseATransactionWithAPropertyThatIsNoString() {
        StoredTransaction transaction = new StoredTransaction();
        byte[] good = block("a", 0, true);
        byte[] bad = block(null, 0, true);
        transaction.send(shard.queue("q"), good, headers(good, 0));
        transaction.send(shard.queue("q"), bad, headers(bad, 0));
        Answer answer = new Answer();

        shard.transactions().commit(transaction, "commit", answer);
        settle();

        assertThat(answer.text).startsWith("expected a string");
        assertThat(messages("q")).isZero();
    }

    @Test
    void shouldTakeWhatItForwardsOnceAndWhateverTheLimits() {
        Backlog one = new Backlog(1, 0, Backlog.Overflow.REFUSE);
        shard.policies(Policies.of(Policy.DEFAULTS.withBacklog(one)));
        StoredDestination queue = shard.queue("q");
        assertThat(send("q", "a", true)).isEqualTo("done");
        assertThat(send("q", "b", true)).contains("full");

        for (int i = 0; i < 2; i++) {
            byte[] block = block("b", 0, true);
            shard.transactions().forward(queue, -1, queue, block, headers(block, 0));
        }
        settle();

        assertThat(messages("q")).isEqualTo(2);
    }

    @Test
    void shouldWriteProgressAlsoWhenTheClockStandsStill() {
        send("q", "a", true);
        StoredConsumer consumer = consumerOf("q");
        settle();
        shard.acknowledge(consumer, sequences(0, 1), Durability.WRITTEN, Outcome.IGNORED);
        for (int i = 0; i < 1000; i++) {
            settle();
        }

        restart();

        assertThat(messages("q")).isZero();
    }

    /// A consumer that takes messages without a number in them.
    private StoredConsumer consumerOf(String queue) {
        StoredConsumer consumer =
                shard.attach(
                        shard.queue(queue).queue(),
                        null,
                        (its, sequence, earlier, block, maxNameId) -> received.add("" + sequence));
        shard.onCredit(consumer, 1000, 1_000_000);
        return consumer;
    }
}
