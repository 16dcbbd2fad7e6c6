package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Table;

/// Which queues leave, and which are refused, when there is no memory for all of them.
class CatalogTest extends ShardRig {
    /// Room for two and a half queues.
    @BeforeEach
    void limitDestinations() {
        config = config.withDestinationBytes(5000);
        shard = open();
        settle();
    }

    private boolean taken(String queue) {
        Result result = send(shard.queue(queue), Spec.persistent(1));
        settle();
        return result.done;
    }

    /// Sends a message to a queue and takes it.
    private void useOnce(String name) {
        assertThat(taken(name)).as(name).isTrue();
        StoredConsumer consumer = consumer(shard.queue(name).queue());
        settle();
        acknowledge(consumer, 0);
        shard.detach(consumer, Return.UNSEEN);
        settle();
    }

    @Test
    void shouldLetQueuesThatWereUsedOnceMakeRoom() {
        for (int i = 0; i < 100; i++) {
            useOnce("once " + i);
        }

        assertThat(shard.catalog().destinations()).hasSizeLessThan(5);
        assertThat(log.tables().size(Table.DESTINATIONS)).isLessThan(5);
        useOnce("once 0");
        assertThat(received).hasSize(101);
    }

    @Test
    void shouldKeepQueuesWithMessagesOrConsumersWhenOthersNeedRoom() {
        assertThat(taken("full")).isTrue();
        consumer(shard.queue("waited for").queue());

        for (int i = 0; i < 10; i++) {
            useOnce("once " + i);
        }

        assertThat(messages("full")).isEqualTo(1);
        assertThat(shard.catalog().findQueue("waited for")).isPresent();
    }

    @Test
    void shouldLeaveNothingOfAQueueWhoseFirstMessageIsRefused() {
        assertThat(taken("a")).isTrue();
        assertThat(taken("b")).isTrue();
        assertThat(taken("c")).isTrue();

        for (int i = 0; i < 10; i++) {
            assertThat(taken("d" + i)).isFalse();
        }

        assertThat(shard.catalog().destinations()).hasSize(3);
        assertThat(shard.formerCounts().refused).isEqualTo(10);
    }
}
