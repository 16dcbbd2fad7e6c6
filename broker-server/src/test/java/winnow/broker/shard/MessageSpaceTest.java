package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Durability;
import winnow.store.Table;

class MessageSpaceTest extends ShardRig {
    @Test
    void shouldDeleteWhatOneFarBehindDoesNotNeed() {
        StoredDestination topic = shard.topic("t");
        SubscriptionName few = new SubscriptionName("c", "few", false, true, false, "x = 1", "");
        StoredSubscription behind = shard.subscribe(topic, few, Outcome.IGNORED);
        StoredConsumer alive = consumer(shard.subscribe(topic, named("alive"), Outcome.IGNORED));
        for (int i = 0; i < 100; i++) {
            Spec spec = Spec.persistent(i);
            Recipients wanted = i % 50 == 0 ? Recipients.of(behind.id()) : Recipients.NONE;
            shard.append(
                    topic,
                    Blocks.bytes(spec),
                    MessageHeaders.of(Blocks.block(spec), wanted, 0),
                    "",
                    Outcome.IGNORED);
        }
        settle();

        acknowledge(alive, sequences(0, 55));
        acknowledge(alive, sequences(60, 40));

        // Blocks of ten: those of 0 and 50 are needed, and that of 55 to 59.
        assertThat(log.tables().size(Table.HEADERS)).isEqualTo(20);
        restart();
        assertThat(shard.catalog().subscriptions())
                .extracting(StoredSubscription::messages)
                .containsExactly(2L, 5L);

        consumer(shard.catalog().findSubscription(behind.id()).orElseThrow());
        received.clear();
        settle();
        assertThat(received).containsExactly("0", "50");
    }

    /// Fewer than a block of ten are consumed, which is not worth a deletion otherwise.
    @Test
    void shouldDeleteAtOnceWhereTheDiskIsNearlyFull() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 9; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        acknowledge(consumer, sequences(0, 9));
        assertThat(log.tables().size(Table.HEADERS)).isEqualTo(9);

        shard.operations().sparing(true);
        settle();

        assertThat(log.tables().size(Table.HEADERS)).isZero();
        int reclaimed = log.reclaimed();
        send(queue, Spec.persistent(9));
        settle();
        acknowledge(consumer, 9);
        assertThat(log.tables().size(Table.HEADERS)).as("not for one small message").isOne();
        assertThat(log.reclaimed()).isEqualTo(reclaimed);
        send(queue, new Spec(10, true, 4, 0, 0, 64 << 10));
        settle();
        acknowledge(consumer, 10);
        assertThat(log.tables().size(Table.HEADERS)).as("from then on").isZero();
        assertThat(log.reclaimed()).isGreaterThan(reclaimed);
    }

    @Test
    void shouldGiveTheSpaceOfAnEndedSubscriptionBackWhereTheDiskIsNearlyFull() {
        // given
        StoredDestination topic = shard.topic("t");
        StoredSubscription ended = shard.subscribe(topic, named("ended"), Outcome.IGNORED);
        shard.operations().sparing(true);
        settle();
        for (int i = 0; i < 5; i++) {
            send(topic, new Spec(i, true, 4, 0, 0, 64 << 10));
        }
        settle();
        int reclaimed = log.reclaimed();

        // when
        shard.unsubscribe(ended, Outcome.IGNORED);
        settle();

        // then
        assertThat(log.tables().size(Table.HEADERS)).isZero();
        assertThat(log.reclaimed()).isGreaterThan(reclaimed);
    }

    @Test
    void shouldDeleteWhatOnlyAnEndedSubscriptionNeeded() {
        StoredDestination topic = shard.topic("t");
        SubscriptionName few = new SubscriptionName("c", "few", false, true, false, "x = 1", "");
        StoredSubscription behind = shard.subscribe(topic, few, Outcome.IGNORED);
        Spec first = Spec.persistent(1);
        shard.append(
                topic,
                Blocks.bytes(first),
                MessageHeaders.of(Blocks.block(first), Recipients.of(behind.id()), 0),
                "",
                Outcome.IGNORED);
        StoredSubscription ended = shard.subscribe(topic, named("ended"), Outcome.IGNORED);
        for (int i = 0; i < 99; i++) {
            send(topic, Spec.persistent(i));
        }
        settle();
        assertThat(log.tables().size(Table.HEADERS)).isEqualTo(100);

        shard.unsubscribe(ended, Outcome.IGNORED);
        settle();

        assertThat(log.tables().size(Table.HEADERS)).isEqualTo(10);
    }

    @Test
    void shouldGiveTheSpaceOfLargeRangesBack() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 400; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        for (int i = 0; i < 400; i += 20) {
            acknowledge(consumer, sequences(i, 20));
        }

        assertThat(log.tables().size(Table.HEADERS)).isZero();
        assertThat(log.reclaimed()).isBetween(2, 6);
    }

    @Test
    void shouldGiveSpaceBackWhenTheAcknowledgementsAreSynced() {
        // given messages that were acknowledged without a sync
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 400; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 900));
        }
        settle();
        shard.acknowledge(consumer, sequences(0, 400), Durability.WRITTEN, Outcome.IGNORED);
        settle();
        shard.onTime(2000);
        settle();
        assertThat(log.reclaimed()).isPositive();

        // when the power fails, and nothing is left that was not synced
        log = log.crash(true, () -> 0, tasks::add);
        shard = open();
        consumer(shard.queue("q").queue());
        settle();

        // then
        assertThat(log.tables().size(Table.QUARANTINED)).isZero();
    }

    @Test
    void shouldDeleteFewLargeMessages() {
        config =
                new ShardConfig(
                        256L << 20,
                        2000,
                        4096,
                        100,
                        "dead-letters",
                        CONFIG.policies(),
                        PreparedLimits.DEFAULTS,
                        64L << 20,
                        LinearLaneIndex::new,
                        BrokerHeap.unlimited());
        restart();
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, 1000, Integer.MAX_VALUE / 2);
        for (int i = 0; i < 20; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 4 << 20));
        }
        settle();

        acknowledge(consumer, sequences(0, 15));
        assertThat(log.tables().size(Table.BODIES)).isEqualTo(20);
        acknowledge(consumer, sequences(15, 2));

        assertThat(log.tables().size(Table.BODIES)).isEqualTo(3);
    }
}
