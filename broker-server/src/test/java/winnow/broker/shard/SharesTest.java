package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
import winnow.wire.MessageBlock;
import winnow.wire.Xid;

/// One user takes as much as it can; another one still gets its share.
class SharesTest extends ShardRig {
    private static final long HOUR = 3_600_000;

    private int xids;

    /// An answer to a user.
    private static final class Answer implements Outcome {
        final String owner;
        boolean done;
        String refusal = "";

        Answer(String owner) {
            this.owner = owner;
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public void onDone() {
            done = true;
        }

        @Override
        public void onFailed(LogException failure) {
            throw failure;
        }

        @Override
        public void onRefused(String reason) {
            refusal = reason;
        }
    }

    private static Spec delayed(int number) {
        return new Spec(number, true, 4, 0, HOUR + number * HOUR, 8);
    }

    /// @return why a delayed message was refused, empty if it was not
    private String delay(String user, String queue, int number) {
        MessageBlock block = Blocks.block(delayed(number));
        Answer answer = new Answer(user);
        shard.append(shard.queue(queue), block, 0, Recipients.NONE, "", answer);
        settle();
        return answer.refusal;
    }

    @Test
    void shouldDelayMessagesOfOneUserWhenAnotherHasTooMany() {
        // given
        String refusal = "";
        int number = 0;
        while (refusal.isEmpty()) {
            refusal = delay("ann", "q" + number % 100, number);
            number++;
        }
        assertThat(number).isGreaterThan(500);
        assertThat(refusal).contains("delayed", "a user");

        // then
        assertThat(delay("bob", "other", 1)).isEmpty();
        assertThat(delay("ann", "fresh", 1)).isNotEmpty();
    }

    @Test
    void shouldChargeTheDelaysOfATransactionTogether() {
        StoredTransaction transaction = new StoredTransaction();
        for (int i = 0; i < 100_000; i++) {
            byte[] block = Blocks.bytes(delayed(i));
            MessageHeaders headers =
                    MessageHeaders.of(Blocks.block(delayed(i)), Recipients.NONE, 0);
            transaction.send(shard.queue("q"), block, headers);
        }
        Answer answer = new Answer("ann");

        shard.transactions().commit(transaction, "t", answer);
        settle();

        assertThat(answer.refusal).contains("delayed");
        assertThat(messages("q")).isZero();
    }

    private boolean sendInParts(String user, String queue) {
        Spec spec = Spec.persistent(1);
        Upload upload = Parts.tryBegin(shard, shard.queue(queue), spec, 1, new Answer(user));
        if (upload == null) {
            return false;
        }
        upload.add(new byte[1], Outcome.IGNORED);
        upload.complete(Outcome.IGNORED);
        settle();
        return true;
    }

    @Test
    void shouldTakeMessagesInPartsOfOneUserWhenAnotherHasTooMany() {
        int sent = 0;
        while (sendInParts("ann", "q" + sent % 50)) {
            sent++;
        }
        assertThat(sent).isGreaterThan(100);

        assertThat(sendInParts("bob", "other")).isTrue();
        assertThat(sendInParts("ann", "fresh")).isFalse();
    }

    private @Nullable Xid prepare(String user) {
        StoredTransaction transaction = new StoredTransaction();
        byte[] block = Blocks.bytes(Spec.persistent(1));
        transaction.send(
                shard.queue("q"),
                block,
                MessageHeaders.of(Blocks.block(Spec.persistent(1)), Recipients.NONE, 0));
        Xid xid = new Xid(1, new byte[] {(byte) ++xids}, new byte[] {1});
        Answer answer = new Answer(user);
        shard.transactions().prepare(xid, transaction, answer);
        settle();
        assertThat(answer.done).isEqualTo(answer.refusal.isEmpty());
        return answer.done ? xid : null;
    }

    @Test
    void shouldPrepareTransactionsOfOneUserWhenAnotherDecidesNone() {
        // given
        config = config.withPrepared(new PreparedLimits(10, 1 << 20));
        shard = open();
        Xid first = Objects.requireNonNull(prepare("ann"));
        for (int i = 1; i < 9; i++) {
            assertThat(prepare("ann")).isNotNull();
        }

        // then
        assertThat(prepare("ann")).isNull();
        assertThat(prepare("bob")).isNotNull();

        // when
        shard.transactions().rollback(first, Outcome.IGNORED, () -> {});
        settle();

        // then
        assertThat(prepare("ann")).isNull();
        assertThat(prepare("carol")).isNotNull();
        assertThat(prepare("dan")).isNull();
    }

    @Test
    void shouldRefuseATransactionThatTakesMoreThanIsLeft() {
        config = config.withPrepared(new PreparedLimits(10, 600));
        shard = open();

        assertThat(prepare("ann")).isNull();
    }
}
