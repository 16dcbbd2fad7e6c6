package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;

/// A connection may have 2000 deliveries, all may have 4000.
class DeliveryLimitTest extends ShardRig {
    private record Taking(DeliveryShare share) implements StoredConsumer.Receiver {
        @Override
        public void onMessage(
                StoredConsumer its, long sequence, int earlier, byte[] block, int maxNameId) {}
    }

    /// A consumer of a queue of its own with so many messages.
    private StoredConsumer consumer(String queue, int messages, DeliveryShare share) {
        for (int i = 0; i < messages; i++) {
            send(shard.queue(queue), Spec.transientOne(i));
        }
        StoredConsumer consumer = shard.attach(shard.queue(queue).queue(), null, new Taking(share));
        shard.onCredit(consumer, 1_000_000, 1 << 30);
        settle();
        return consumer;
    }

    private void acknowledge(StoredConsumer consumer, int from, int to) {
        acknowledge(consumer, LongStream.range(from, to).toArray());
    }

    @Test
    void shouldGiveAConnectionNoMoreUntilItHasAcknowledgedSome() {
        assertThat(config.maxPerConnection()).isEqualTo(2000);
        DeliveryShare share = new DeliveryShare();
        StoredConsumer first = consumer("a", 1500, share);
        StoredConsumer second = consumer("b", 1500, share);
        assertThat(first.unacknowledged()).isEqualTo(1500);
        assertThat(second.unacknowledged()).isEqualTo(500);

        acknowledge(first, 0, 100);
        assertThat(second.unacknowledged()).isEqualTo(500);
        acknowledge(first, 100, 300);

        assertThat(first.unacknowledged()).isEqualTo(1200);
        assertThat(second.unacknowledged()).isEqualTo(800);
    }

    @Test
    void shouldGiveOneWithFewEnoughWhateverOthersHave() {
        StoredConsumer first = consumer("a", 2000, new DeliveryShare());
        consumer("b", 2000, new DeliveryShare());
        StoredConsumer late = consumer("c", 1500, new DeliveryShare());
        assertThat(late.unacknowledged()).isEqualTo(1000);

        acknowledge(first, 0, 1499);
        assertThat(late.unacknowledged()).isEqualTo(1000);
        acknowledge(first, 1499, 1500);

        assertThat(late.unacknowledged()).isEqualTo(1500);
    }

    @Test
    void shouldForgetConsumersThatHaveGone() {
        DeliveryShare share = new DeliveryShare();
        StoredConsumer first = consumer("a", 2000, share);
        StoredConsumer second = consumer("b", 10, share);
        assertThat(share.waiting).contains(second);

        shard.detach(second, Return.UNSEEN);
        shard.detach(first, Return.UNSEEN);
        settle();

        assertThat(share.waiting).isEmpty();
        assertThat(share.count).isZero();
    }
}
