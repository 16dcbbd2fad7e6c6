package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Batch;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.Xid;

class ShardTest extends ShardRig {
    @Test
    void shouldConfirmAndDeliverOnlyWhatIsDurable() {
        consumer(shard.queue("q").queue());

        Result result = send(shard.queue("q"), Spec.persistent(1));
        shard.flush();

        assertThat(result.done).isFalse();
        assertThat(received).isEmpty();

        settle();

        assertThat(result.done).isTrue();
        assertThat(received).containsExactly("1");
    }

    @Test
    void shouldDeliverHigherPrioritiesFirst() {
        StoredDestination queue = shard.queue("q");
        int[] priorities = {4, 9, 0, 4, 9};
        for (int i = 0; i < priorities.length; i++) {
            send(queue, new Spec(i, true, priorities[i], 0, 0, 8));
        }
        settle();

        consumer(queue.queue());
        settle();

        assertThat(received).containsExactly("1", "4", "0", "3", "2");
    }

    @Test
    void shouldShareAQueueBetweenConsumersInTurn() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer first = consumer(queue.queue());
        StoredConsumer second = consumer(queue.queue());

        for (int i = 0; i < 10; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();

        assertThat(first.unacknowledged()).isEqualTo(5);
        assertThat(second.unacknowledged()).isEqualTo(5);
    }

    @Test
    void shouldFindWhatAFilterWantsInABacklogThatIsNotInMemory() {
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 3000; i++) {
            send(queue, new Spec(i, true, i == 2500 ? 8 : 4, 0, 0, 8));
        }
        settle();
        restart();

        consumer(shard.queue("q").queue(), new EveryThird(2));
        settle();

        assertThat(received).containsExactly("2500");
    }

    @Test
    void shouldGiveEachMessageToOneOfThoseWhoWantIt() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer selective = consumer(queue.queue(), new EveryThird(1));
        StoredConsumer other = consumer(queue.queue(), new EveryThird(1));
        StoredConsumer unwilling = consumer(queue.queue(), new EveryThird(0));
        for (int i = 0; i < 10; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();

        assertThat(selective.unacknowledged() + other.unacknowledged()).isEqualTo(10);
        assertThat(selective.unacknowledged()).isEqualTo(5);
        assertThat(unwilling.unacknowledged()).isZero();
    }

    @Test
    void shouldGiveWhatComesBackToAnotherWithTheSameFilter() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer first = consumer(queue.queue(), new EveryThird(1));
        send(queue, Spec.persistent(1));
        settle();
        StoredConsumer second = consumer(queue.queue(), new EveryThird(1));

        shard.detach(first, Return.UNKNOWN);
        settle();

        assertThat(second.unacknowledged()).isEqualTo(1);
        assertThat(received).containsExactly("1", "1!");
    }

    @Test
    void shouldMoveWhatFailsTooOftenToTheDeadLettersInOneStep() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        send(queue, Spec.persistent(7));
        settle();

        shard.release(consumer, new long[] {0}, Return.FAILED);
        settle();
        assertThat(received).containsExactly("7", "7!");
        shard.release(consumer, new long[] {0}, Return.FAILED);
        shard.flush();
        restart();

        assertThat(messages("q") + messages("dead-letters")).isEqualTo(1);
    }

    @Test
    void shouldGiveADurableSubscriptionWhatCameAfterIt() {
        StoredDestination topic = shard.topic("t");
        StoredSubscription early = shard.subscribe(topic, named("early"), Outcome.IGNORED);
        send(topic, Spec.persistent(1));
        StoredSubscription late = shard.subscribe(topic, named("late"), Outcome.IGNORED);
        send(topic, Spec.persistent(2));
        settle();

        assertThat(early.messages()).isEqualTo(2);
        assertThat(late.messages()).isEqualTo(1);

        restart();

        assertThat(shard.catalog().subscriptions())
                .extracting(StoredSubscription::messages)
                .containsExactly(2L, 1L);
    }

    @Test
    void shouldForgetAnEndedSubscriptionAndItsMessages() {
        StoredDestination topic = shard.topic("t");
        StoredSubscription ended = shard.subscribe(topic, named("ended"), Outcome.IGNORED);
        for (int i = 0; i < 20; i++) {
            send(topic, Spec.persistent(i));
        }
        settle();

        shard.unsubscribe(ended, Outcome.IGNORED);
        settle();

        assertThat(log.tables().size(Table.SUBSCRIPTIONS)).isZero();
        assertThat(log.tables().size(Table.PROGRESS)).isZero();
        assertThat(log.tables().size(Table.HEADERS)).isZero();
    }

    @Test
    void shouldStoreNothingForATopicThatNobodyKeeps() {
        Result result = send(shard.topic("t"), Spec.persistent(1));
        settle();

        assertThat(result.done).isTrue();
        assertThat(log.tables().size(Table.HEADERS)).isZero();
    }

    @Test
    void shouldWriteTransientMessagesOnlyWhenMemoryIsUsedUp() {
        StoredDestination queue = shard.queue("q");
        send(queue, new Spec(0, false, 4, 0, 0, 1000));
        settle();
        assertThat(log.tables().size(Table.HEADERS)).isZero();

        for (int i = 1; i < 10; i++) {
            send(queue, new Spec(i, false, 4, 0, 0, 1000));
        }
        settle();
        assertThat(log.tables().size(Table.HEADERS)).isPositive();
        assertThat(shard.window().bytes()).isLessThanOrEqualTo(CONFIG.windowBytes());

        consumer(queue.queue());
        settle();
        assertThat(received).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @Test
    void shouldTakeAMessageThatIsSentAgainForOne() {
        StoredDestination queue = shard.queue("q");
        shard.append(
                queue,
                Blocks.block(Spec.persistent(1)),
                0,
                Recipients.NONE,
                "a-1",
                Outcome.IGNORED);
        settle();
        restart();
        Result again = new Result();

        shard.append(
                shard.queue("q"),
                Blocks.block(Spec.persistent(1)),
                0,
                Recipients.NONE,
                "a-1",
                again);
        settle();

        assertThat(again.done).isTrue();
        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldRememberIdentifiersAcrossManyStarts() {
        for (int i = 0; i < 5; i++) {
            shard.append(
                    shard.queue("q"),
                    Blocks.block(Spec.persistent(i)),
                    0,
                    Recipients.NONE,
                    "id " + i,
                    Outcome.IGNORED);
            settle();
            restart();
        }

        for (int i = 0; i < 5; i++) {
            assertThat(shard.sentAgain().identifiers().contains("id " + i)).as("%d", i).isTrue();
        }
    }

    @Test
    void shouldKnowTheNamesThatStoredMessagesUseByNumber() {
        shard.append(
                shard.queue("q"),
                Blocks.block(Spec.persistent(1)),
                2,
                Recipients.NONE,
                "",
                Outcome.IGNORED);
        StoredTransaction transaction = new StoredTransaction();
        transaction.send(
                shard.queue("q"),
                Blocks.bytes(Spec.persistent(2)),
                MessageHeaders.of(Blocks.block(Spec.persistent(2)), Recipients.NONE, 3));
        Xid xid = new Xid(1, new byte[] {1}, new byte[0]);
        shard.transactions().prepare(xid, transaction, Outcome.IGNORED);
        settle();
        shard.append(
                shard.queue("q"),
                Blocks.block(Spec.transientOne(3)),
                9,
                Recipients.NONE,
                "",
                Outcome.IGNORED);
        settle();

        restart();

        assertThat(shard.propertyNames()).containsExactly("name 1", "name 2", "name 3");
    }

    @Test
    void shouldPutADamagedMessageAsideAndDeliverTheOthers() {
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 4; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 600));
        }
        settle();
        Batch damage = new Batch();
        damage.put(Table.BODIES, Keys.of(queue.id(), 1), new byte[592]);
        damage.put(Table.HEADERS, Keys.of(queue.id(), 2), new byte[] {9, 9});
        log.damage(damage);
        restart();

        consumer(shard.queue("q").queue());
        settle();

        assertThat(received).containsExactly("0", "3");
        assertThat(log.tables().size(Table.QUARANTINED)).isEqualTo(2);
        assertThat(shard.failure()).isEmpty();
        assertThat(messages("q")).isEqualTo(2);
    }

    @Test
    void shouldPutAMessageAsideThatIsNotThere() {
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 3; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        restart();
        Batch damage = new Batch();
        damage.delete(Table.HEADERS, Keys.of(queue.id(), 1));
        log.damage(damage);

        consumer(shard.queue("q").queue());
        settle();

        assertThat(received).containsExactly("0", "2");
        assertThat(log.tables().size(Table.QUARANTINED)).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatCannotBeKeptAfterAFailedWrite() {
        StoredDestination queue = shard.queue("q");
        send(queue, Spec.persistent(1));
        settle();
        Result lost = send(queue, Spec.persistent(2));
        shard.flush();

        log.fail(LogException.Reason.NO_SPACE);
        settle();
        Result refused = send(queue, Spec.persistent(3));

        assertThat(lost.failure).isNotNull();
        assertThat(refused.failure)
                .extracting(LogException::reason)
                .isEqualTo(LogException.Reason.NO_SPACE);
        assertThat(refused.done).isFalse();
    }

    @Test
    void shouldDeliverNothingWhenAnotherOwnerHasTheLog() {
        StoredDestination queue = shard.queue("q");
        send(queue, Spec.persistent(0));
        settle();
        log.fail(LogException.Reason.FENCED);
        send(queue, Spec.persistent(1));
        settle();
        consumer(queue.queue());
        settle();
        assertThat(received).isEmpty();
    }

    @Test
    void shouldGoOnDeliveringAfterAFailedWrite() {
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 1500; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        log.fail(LogException.Reason.IO);
        send(queue, Spec.persistent(1500));
        settle();

        StoredConsumer consumer = consumer(queue.queue());
        settle();
        assertThat(received).hasSize(1000);
        Result sure = new Result();
        shard.acknowledge(consumer, new long[] {0}, Durability.SYNCED, sure);
        Result lazy = new Result();
        shard.acknowledge(consumer, sequences(0, 1000), Durability.WRITTEN, lazy);
        shard.onCredit(consumer, 1000, 1_000_000);
        settle();

        assertThat(sure.failure).isNotNull();
        assertThat(lazy.done).isTrue();
        assertThat(received).hasSize(1500);
        assertThat(queue.queue().availableMessages()).isZero();
        assertThat(shard.window().bytes()).isLessThan(2 * config.windowBytes());
        log = log.crash(false, new Random(1), tasks::add);
        shard =
                ShardRecovery.open(
                        log,
                        config,
                        tasks::add,
                        tasks::add,
                        number -> "name",
                        new ShardTime(1000),
                        true);
        received.clear();
        consumer(shard.queue("q").queue());
        settle();
        assertThat(received).hasSize(1000).allMatch(one -> one.endsWith("!"));
    }

    @Test
    void shouldMarkAsRedeliveredOnlyWhatMayHaveBeenDelivered() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(queue.queue(), null, (its, sequence, earlier, block, maxNameId) -> {});
        for (int i = 0; i < 1500; i++) {
            send(queue, Spec.persistent(i));
        }
        shard.onCredit(consumer, 10, 1_000_000);
        settle();
        restart();

        shard.onCredit(consumer(shard.queue("q").queue()), 1000, 1_000_000);
        settle();

        assertThat(received.subList(0, 10)).allMatch(one -> one.endsWith("!"));
        assertThat(received.subList(1100, 1500)).noneMatch(one -> one.endsWith("!"));
    }

    @Test
    void shouldMarkWhatWasWithAConsumerWhenItCameToTheLog() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer =
                shard.attach(queue.queue(), null, (its, sequence, earlier, block, maxNameId) -> {});
        shard.onCredit(consumer, 1, 1_000_000);
        for (int i = 0; i < 10; i++) {
            send(queue, new Spec(i, false, 4, 0, 0, 1000));
        }
        settle();
        assertThat(consumer.unacknowledged()).isEqualTo(1);
        restart();

        consumer(shard.queue("q").queue());
        settle();

        assertThat(received).startsWith("0!");
    }

    @Test
    void shouldMarkNothingAfterAnOrderlyEnd() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 10; i++) {
            send(queue, Spec.persistent(i));
        }
        settle();
        received.clear();

        shard.detach(consumer, Return.UNSEEN);
        shard.settle();
        settle();
        restart();
        consumer(shard.queue("q").queue());
        settle();

        assertThat(received).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @Test
    void shouldRememberACrashAcrossAnOrderlyEnd() {
        StoredDestination queue = shard.queue("q");
        consumer(queue.queue());
        send(queue, Spec.persistent(1));
        settle();
        restart();
        received.clear();

        shard.settle();
        settle();
        restart();
        consumer(shard.queue("q").queue());
        settle();

        assertThat(received).containsExactly("1!");
    }

    @Test
    void shouldDeleteRowsWhenTheyAreAcknowledged() {
        StoredDestination queue = shard.queue("q");
        StoredConsumer consumer = consumer(queue.queue());
        for (int i = 0; i < 50; i++) {
            send(queue, new Spec(i, true, 4, 0, 0, 600));
        }
        settle();
        long[] all = new long[50];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }

        shard.acknowledge(consumer, all, Durability.SYNCED, Outcome.IGNORED);
        settle();

        assertThat(log.tables().size(Table.HEADERS)).isZero();
        assertThat(log.tables().size(Table.BODIES)).isZero();
        assertThat(log.tables().size(Table.ACKNOWLEDGED)).isZero();
        assertThat(shard.window().bytes()).isZero();
    }

    @Test
    void shouldConfirmMessagesThatAreNotPersistentNoFasterThanOthersLeaveTheMemory() {
        StoredDestination queue = shard.queue("q");
        settle();
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            results.add(send(queue, new Spec(i, false, 4, 0, 0, 400)));
            shard.flush();
        }

        assertThat(results).extracting(result -> result.done).startsWith(true, true, true);
        assertThat(results.stream().filter(result -> !result.done).count()).isGreaterThan(80);

        settle();

        assertThat(results).allMatch(result -> result.done);
        assertThat(shard.window().bytes()).isLessThanOrEqualTo(config.windowBytes());
    }
}
