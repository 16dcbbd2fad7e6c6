package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Durability;
import winnow.store.Table;
import winnow.wire.Xid;

/// How destinations and subscriptions begin and end.
class ShardLifeTest extends ShardRig {
    private static SubscriptionName fleeting(String name) {
        return new SubscriptionName("", name, true, false, false, "", "");
    }

    /// Room for two and a half queues.
    private void limitDestinations() {
        config = config.withDestinationBytes(5000);
        shard = open();
        settle();
    }

    private boolean taken(String queue) {
        Result result = send(shard.queue(queue), Spec.persistent(1));
        settle();
        return result.done;
    }

    @Test
    void shouldRefuseTheFirstMessageOfAQueueBeyondTheLimit() {
        limitDestinations();
        assertThat(taken("a")).isTrue();
        assertThat(taken("b")).isTrue();
        assertThat(taken("c")).isTrue();

        assertThat(taken("d")).isFalse();

        assertThat(shard.catalog().full("", 0)).contains("storage.destinations", "5000 bytes");
        assertThat(taken("a")).isTrue();
        restart();
        assertThat(taken("d")).isFalse();
    }

    @Test
    void shouldGiveRoomBackWhenAQueueEnds() {
        limitDestinations();
        assertThat(taken("a")).isTrue();
        assertThat(taken("b")).isTrue();
        assertThat(taken("c")).isTrue();
        shard.remove(shard.queue("b"), Outcome.IGNORED);
        assertThat(shard.collect(shard.queue("d"))).isTrue();

        assertThat(taken("d")).isTrue();
        assertThat(taken("e")).isFalse();
    }

    @Test
    void shouldCountSubscriptionsWithTheirSelectors() {
        limitDestinations();
        SubscriptionName selective =
                new SubscriptionName("client", "s", false, true, false, "n".repeat(200), "");
        StoredSubscription made = shard.subscribe(shard.topic("t"), selective, Outcome.IGNORED);
        settle();
        assertThat(shard.catalog().full("", 0)).isNotNull();

        shard.unsubscribe(made, Outcome.IGNORED);

        assertThat(shard.catalog().full("", 0)).isNull();
    }

    @Test
    void shouldTakeABlankSelectorForNone() {
        StoredSubscription made =
                shard.subscribe(
                        shard.topic("t"),
                        new SubscriptionName("client", "s", false, true, false, " ", "\t"),
                        Outcome.IGNORED);
        consumer(made);
        send(shard.topic("t"), Spec.persistent(1));
        settle();

        assertThat(received).containsExactly("1");
    }

    @Test
    void shouldWriteNothingOfATemporaryQueueAndItsMessages() {
        settle();
        StoredDestination queue = shard.temporaryQueue("answers");
        consumer(queue.queue());
        Result result = send(queue, Spec.persistent(1));

        shard.flush();

        assertThat(result.done).isTrue();
        assertThat(received).containsExactly("1");
        settle();
        for (Table table : Table.values()) {
            assertThat(log.tables().size(table))
                    .as("%s", table)
                    .isEqualTo(table == Table.META ? 1 : 0);
        }
    }

    @Test
    void shouldSpillATemporaryQueueAndForgetItWithTheBroker() {
        StoredDestination queue = shard.temporaryQueue("answers");
        for (int i = 0; i < 10; i++) {
            send(queue, new Spec(i, i % 2 == 0, 4, 0, 0, 1000));
        }
        settle();
        assertThat(log.tables().size(Table.HEADERS)).isPositive();
        assertThat(shard.window().bytes()).isLessThanOrEqualTo(config.windowBytes());

        restart();
        settle();

        assertThat(shard.catalog().destinations()).isEmpty();
        assertThat(log.tables().size(Table.HEADERS)).isZero();
        assertThat(log.tables().size(Table.BODIES)).isZero();
        assertThat(log.tables().size(Table.DESTINATIONS)).isZero();
    }

    @Test
    void shouldDeliverFromASpilledTemporaryQueue() {
        StoredDestination queue = shard.temporaryQueue("answers");
        for (int i = 0; i < 10; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 1000));
        }
        settle();

        StoredConsumer consumer = consumer(queue.queue());
        settle();
        acknowledge(consumer, sequences(0, 10));

        assertThat(received).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(log.tables().size(Table.HEADERS)).isZero();
        assertThat(log.tables().size(Table.PROGRESS)).isZero();
    }

    @Test
    void shouldKeepTheMessagesOfASubscriptionThatIsNotDurableInMemory() {
        StoredDestination topic = shard.topic("t");
        StoredSubscription shared = shard.subscribe(topic, fleeting("s"), Outcome.IGNORED);
        settle();
        Result result = send(topic, Spec.persistent(1));
        shard.flush();

        assertThat(result.done).isTrue();
        assertThat(shared.messages()).isEqualTo(1);
        assertThat(log.tables().size(Table.HEADERS)).isZero();

        restart();

        assertThat(shard.catalog().subscriptions()).isEmpty();
    }

    @Test
    void shouldKeepTheOrderWhereOnlySomeMessagesAreStored() {
        StoredDestination topic = shard.topic("t");
        StoredSubscription shared = shard.subscribe(topic, fleeting("s"), Outcome.IGNORED);
        SubscriptionName selective =
                new SubscriptionName("c", "d", false, true, false, "x = 1", "");
        StoredSubscription durable = shard.subscribe(topic, selective, Outcome.IGNORED);
        consumer(shared);
        settle();

        MessageHeaders both =
                MessageHeaders.of(Blocks.block(Spec.persistent(1)), Recipients.of(durable.id()), 0);
        shard.append(topic, Blocks.bytes(Spec.persistent(1)), both, "", new Result());
        shard.flush();
        send(topic, Spec.persistent(2));
        settle();

        assertThat(received).containsExactly("1", "2");
    }

    @Test
    void shouldRemoveAQueueWithAllThatItHas() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 5; i++) {
            send(queue, new Spec(i, true, 4, 90_000, i == 4 ? 80_000 : 0, 600));
        }
        settle();
        assertThatThrownBy(() -> shard.remove(queue, Outcome.IGNORED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("queue q has 1 consumers");

        shard.detach(consumer, sequence -> sequence < 2);
        Result result = new Result();
        shard.remove(queue, result);
        settle();

        assertThat(result.done).isTrue();
        assertThat(queue.removed()).isTrue();
        assertThat(shard.window().bytes()).isZero();
        for (Table table :
                new Table[] {
                    Table.DESTINATIONS,
                    Table.SUBSCRIPTIONS,
                    Table.PROGRESS,
                    Table.HEADERS,
                    Table.BODIES
                }) {
            assertThat(log.tables().size(table)).as("%s", table).isZero();
        }
        // What a client says of it afterwards has no effect.
        shard.acknowledge(consumer, new long[] {0}, winnow.store.Durability.SYNCED, new Result());
        shard.release(consumer, new long[] {1}, Return.FAILED);
        shard.onTime(100_000);
        settle();
        assertThat(log.tables().size(Table.PROGRESS)).isZero();
    }

    @Test
    void shouldSendToANewQueueWhatWasForARemovedOne() {
        StoredDestination old = shard.queue("q");
        shard.remove(old, Outcome.IGNORED);

        Result result = send(old, Spec.persistent(1));
        settle();

        assertThat(result.done).isTrue();
        assertThat(messages("q")).isEqualTo(1);
        assertThat(shard.queue("q")).isNotSameAs(old);
    }

    @Test
    void shouldCollectOnlyWhatNobodyWouldMiss() {
        StoredDestination queue = shard.queue("q");
        send(queue, Spec.persistent(1));
        assertThat(shard.collect(queue)).as("has a message").isFalse();
        settle();
        StoredConsumer consumer = consumer(queue.queue());
        settle();
        acknowledge(consumer, 0);
        assertThat(shard.collect(queue)).as("has a consumer").isFalse();
        shard.detach(consumer, Return.UNSEEN);
        StoredTransaction transaction = new StoredTransaction();
        transaction.send(
                queue,
                Blocks.bytes(Spec.persistent(2)),
                MessageHeaders.of(Blocks.block(Spec.persistent(2)), Recipients.NONE, 0));
        Xid xid = new Xid(1, new byte[] {1}, new byte[0]);
        shard.transactions().prepare(xid, transaction, Outcome.IGNORED);
        assertThat(shard.collect(queue)).as("is part of a transaction").isFalse();
        shard.transactions().rollback(xid, Outcome.IGNORED, () -> {});
        settle();

        assertThat(shard.collect(queue)).isTrue();
        settle();

        assertThat(shard.collect(queue)).as("is gone").isFalse();
        assertThat(log.tables().size(Table.HEADERS)).isZero();
        assertThat(log.tables().size(Table.DESTINATIONS)).isZero();
    }

    @Test
    void shouldNeverGiveANumberAgainThatTheLogHasSeen() {
        StoredDestination queue = shard.queue("q");
        int last = queue.queue().id();
        shard.remove(queue, Outcome.IGNORED);
        settle();
        restart();

        assertThat(shard.queue("q").id()).isGreaterThan(last);
    }

    @Test
    void shouldGiveTheNumbersOfTemporaryQueuesAgain() {
        StoredDestination first = shard.temporaryQueue("a");
        shard.remove(first, Outcome.IGNORED);
        for (int i = 0; i < 10_000; i++) {
            shard.remove(shard.temporaryQueue("a"), Outcome.IGNORED);
        }

        assertThat(shard.temporaryQueue("a").id()).isLessThan(first.id() + 10);
    }

    @Test
    void shouldLeaveWithAnEndedConsumerWhatItsClientHasSeen() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer first = consumer(queue.queue());
        for (int i = 0; i < 4; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        received.clear();

        shard.detach(first, sequence -> sequence < 2);
        consumer(queue.queue());
        settle();
        assertThat(received).containsExactly("2", "3");

        acknowledge(first, 0);
        shard.release(first, new long[] {1}, Return.FAILED);
        settle();

        assertThat(received).containsExactly("2", "3", "1!");
        assertThat(queue.queue().messages()).isEqualTo(3);
        assertThat(queue.queue().unacknowledged()).isEqualTo(3);
    }

    @Test
    void shouldGiveTheCreditOfReturnedMessagesBack() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(
                        queue.queue(),
                        null,
                        (its, sequence, earlier, block, maxNameId) ->
                                received.add("" + Blocks.id(block)));
        shard.onCredit(consumer, 2, 100_000);
        for (int i = 0; i < 4; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        assertThat(received).containsExactly("0", "1");

        shard.release(consumer, new long[] {0, 1}, Return.UNKNOWN);
        settle();
        assertThat(received).containsExactly("0", "1", "0", "1");

        acknowledge(consumer, 0, 1);
        assertThat(received).hasSize(4);
    }

    @Test
    void shouldBoundWhatAConsumerHasNotAcknowledged() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(queue.queue(), null, (its, sequence, earlier, block, maxNameId) -> {});
        shard.onCredit(consumer, 100_000, 100_000_000);
        for (int i = 0; i < 2100; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        assertThat(consumer.unacknowledged()).isEqualTo(config.maxUnacknowledged());

        acknowledge(consumer, sequences(0, 50));

        assertThat(consumer.unacknowledged()).isEqualTo(config.maxUnacknowledged());
        assertThat(queue.queue().availableMessages()).isEqualTo(50);
    }

    @Test
    void shouldWaitForAReceiverThatIsNotReady() {
        boolean[] ready = {false};
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(
                        queue.queue(),
                        null,
                        new NotingReceiver() {
                            @Override
                            public boolean ready() {
                                return ready[0];
                            }
                        });
        shard.onCredit(consumer, 10, 100_000);
        send(queue, Spec.persistent(1));
        settle();
        assertThat(received).isEmpty();

        ready[0] = true;
        shard.resume(consumer);
        settle();

        assertThat(received).containsExactly("1");
    }

    @Test
    void shouldCountWhatHappens() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 3; i++) {
            send(queue, Spec.persistent(i));
        }
        send(queue, new Spec(3, true, 4, 2000, 1500, 8));
        settle();
        shard.release(consumer, new long[] {1}, Return.FAILED);
        settle();
        shard.release(consumer, new long[] {1}, Return.FAILED);
        acknowledge(consumer, 0);
        shard.detach(consumer, sequence -> true);
        shard.onTime(3000);
        settle();

        Counts counts = queue.counts();
        assertThat(counts.appended()).isEqualTo(4);
        assertThat(counts.delivered()).isEqualTo(4);
        assertThat(counts.redelivered()).isEqualTo(1);
        assertThat(counts.acknowledged()).isEqualTo(1);
        assertThat(counts.failed()).isEqualTo(2);
        assertThat(counts.buried()).isEqualTo(1);
        assertThat(counts.expired()).isEqualTo(1);
        assertThat(queue.queue().messages()).isEqualTo(1);
    }

    @Test
    void shouldSyncWhatWasOnlyWrittenBefore() {
        // given
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        send(queue, Spec.persistent(1));
        settle();
        shard.acknowledge(consumer, new long[] {0}, Durability.WRITTEN, Outcome.IGNORED);
        shard.flush();
        shard.onTime(100_000);
        settle();

        // when
        Result synced = new Result();
        shard.sync(synced);
        settle();

        // then
        assertThat(synced.done).isTrue();
        tasks.clear();
        log = log.crash(true, new LosesAll(), tasks::add);
        shard = open();
        assertThat(messages("q")).isZero();
    }

    /// A power failure after which nothing is there but what was synced.
    private static final class LosesAll extends Random {
        private static final long serialVersionUID = 1;

        @Override
        public int nextInt(int bound) {
            return 0;
        }
    }

    @Test
    void shouldMarkWhatAClientHasWhenTheBrokerStops() {
        // given
        StoredDestination queue = shard.queue("q");
        consumer(queue.queue());
        send(queue, Spec.persistent(1));
        settle();
        assertThat(received).containsExactly("1");

        // when
        shard.settle();
        settle();
        restart();

        // then
        consumer(shard.queue("q").queue());
        settle();
        assertThat(received).containsExactly("1", "1!");
    }
}
