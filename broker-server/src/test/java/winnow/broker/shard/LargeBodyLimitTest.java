package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;

/// How much heap messages in parts may take.
class LargeBodyLimitTest extends ShardRig {
    private StoredDestination queue() {
        return shard.queue("q");
    }

    /// Sends messages of one byte in parts until one is refused.
    ///
    /// @return how many were taken
    private int fill(StoredDestination destination) {
        int taken = 0;
        Refusal refusal = new Refusal();
        while (taken < 10_000) {
            Upload upload = Parts.tryBegin(shard, destination, Spec.persistent(taken), 1, refusal);
            if (upload == null) {
                assertThat(refusal.reason).contains("no room for another message in parts");
                return taken;
            }
            upload.add(new byte[1], Outcome.IGNORED);
            upload.complete(Outcome.IGNORED);
            settle();
            taken++;
        }
        return taken;
    }

    private static final class Refusal implements Outcome {
        String reason = "";

        @Override
        public void onDone() {}

        @Override
        public void onFailed(LogException cause) {}

        @Override
        public void onRefused(String why) {
            reason = why;
        }
    }

    @Test
    void shouldRefuseMessagesInPartsThatTakeTooMuchHeap() {
        // when
        int first = fill(queue());
        int second = fill(shard.queue("other"));

        // then each queue has half of what was left
        long limit = config.largeBodyBytes();
        assertThat(first).isEqualTo((int) (limit / 2 / HeapCost.LARGE_BODY));
        assertThat(second).isBetween(first / 2 - 1, first / 2 + 1);
        assertThat(shard.bodies().heapBytes()).isLessThanOrEqualTo(limit);
    }

    @Test
    void shouldHaveRoomAgainWhenMessagesInPartsHaveEnded() {
        // given
        fill(queue());

        // when
        shard.remove(queue(), Outcome.IGNORED);
        settle();

        // then
        assertThat(shard.bodies().heapBytes()).isZero();
        assertThat(fill(queue())).isPositive();
    }

    @Test
    void shouldGiveBackWhatAMessageThatWasCancelledTakes() {
        // given
        Upload upload = Parts.begin(shard, queue(), Spec.persistent(1), 10, Outcome.IGNORED);
        assertThat(shard.bodies().heapBytes()).isPositive();

        // when
        upload.cancel();

        // then
        assertThat(shard.bodies().heapBytes()).isZero();
    }

    @Test
    void shouldChargeWhatTheLogHasWhenItIsOpened() {
        // given
        Parts.send(shard, queue(), 1, 10, 10);
        settle();
        long before = shard.bodies().heapBytes();

        // when
        restart();

        // then
        assertThat(shard.bodies().heapBytes()).isEqualTo(before).isPositive();
    }
}
