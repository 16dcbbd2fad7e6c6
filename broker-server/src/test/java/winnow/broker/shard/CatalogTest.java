package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Table;
import winnow.wire.Xid;

/// Queues that leave, and queues that are refused, when there is no memory for all of them.
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
    void shouldKeepAllQueuesThatAPreparedTransactionSendsTo() {
        // given room for two queues, and messages for queues of which each may make room for the
        // next
        List<StoredDestination> queues = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            queues.add(shard.queue("to " + i));
        }
        StoredTransaction transaction = new StoredTransaction();
        for (StoredDestination queue : queues) {
            transaction.send(
                    queue,
                    Blocks.bytes(Spec.persistent(1)),
                    MessageHeaders.of(Blocks.block(Spec.persistent(1)), Recipients.NONE, 0));
        }
        Xid xid = new Xid(1, new byte[] {1}, new byte[] {1});

        // when
        Result prepared = new Result();
        shard.transactions().prepare(xid, transaction, prepared);
        settle();
        shard.transactions().commit(xid, Outcome.IGNORED, () -> {});
        settle();

        // then
        long arrived = queues.stream().mapToLong(queue -> messages(queue.name())).sum();
        assertThat(arrived).isEqualTo(prepared.done ? 3 : 0);
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
