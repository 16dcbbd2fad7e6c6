package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;
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

    private boolean taken(String queue, String owner) {
        boolean[] refused = new boolean[1];
        shard.append(
                shard.queue(queue),
                Blocks.block(Spec.persistent(1)),
                0,
                Recipients.NONE,
                "",
                new Outcome() {
                    @Override
                    public String owner() {
                        return owner;
                    }

                    @Override
                    public void onDone() {}

                    @Override
                    public void onFailed(LogException failure) {
                        refused[0] = true;
                    }
                });
        settle();
        return !refused[0];
    }

    @Test
    void shouldLeaveRoomForTheQueuesOfOthers() {
        // given
        config = config.withDestinationBytes(100_000);
        restart();
        int made = 0;
        while (made < 1000 && taken("hasty " + made, "hasty")) {
            made++;
        }

        // then
        assertThat(made).isBetween(35, 45);
        assertThat(taken("hasty 0", "hasty")).isTrue();
        assertThat(taken("hasty 0", "careful")).isTrue();
        assertThat(taken("careful", "careful")).isTrue();
        assertThat(shard.catalog().findQueue("hasty " + made)).isEmpty();
    }

    /// One megabyte for destinations of a heap that is used up by something else.
    private void useUpTheHeap() {
        BrokerHeap heap = new BrokerHeap(4 << 20);
        config = config.withDestinationBytes(1 << 20).withHeap(heap);
        restart();
        heap.part("other", 4 << 20).follow(4 << 20);
    }

    @Test
    void shouldLeaveRoomForTheQueuesOfNewUsersWhenTheHeapIsUsedUp() {
        // given
        useUpTheHeap();
        int made = 0;
        while (made < 1000 && taken("hasty " + made, "hasty")) {
            made++;
        }

        // then
        assertThat(made).isLessThan(10);
        for (int i = 0; i < 10; i++) {
            assertThat(taken("queue " + i, "user " + i)).isTrue();
        }
    }

    private static SubscriptionName durable(int number) {
        return new SubscriptionName("client", "s" + number, false, true, false, "", "");
    }

    /// @return whether there is room for another stored subscription, which is made then
    private boolean subscribed(String topic, int number, String owner) {
        if (shard.full(owner, 0) != null) {
            return false;
        }
        Outcome outcome =
                new Outcome() {
                    @Override
                    public String owner() {
                        return owner;
                    }

                    @Override
                    public void onDone() {}

                    @Override
                    public void onFailed(LogException failure) {
                        throw failure;
                    }
                };
        shard.subscribe(shard.topic(topic), durable(number), outcome);
        settle();
        return true;
    }

    @Test
    void shouldLeaveRoomForTheSubscriptionsOfOthers() {
        // given
        config = config.withDestinationBytes(100_000);
        restart();
        int made = 0;
        while (made < 1000 && subscribed("t" + made % 3, made, "hasty")) {
            made++;
        }

        // then
        assertThat(made).isBetween(30, 45);
        assertThat(taken("hasty", "hasty")).isFalse();
        assertThat(shard.full("hasty", 0)).contains("storage.destinations", "its user has made");
        assertThat(subscribed("other", 1000, "careful")).isTrue();
        assertThat(taken("careful", "careful")).isTrue();

        // when
        shard.catalog().subscriptions().stream()
                .filter(one -> one.name().display().contains("s1"))
                .toList()
                .forEach(one -> shard.unsubscribe(one, Outcome.IGNORED));

        // then
        assertThat(subscribed("t1", 2000, "hasty")).isTrue();
    }

    @Test
    void shouldLeaveRoomForTheSubscriptionsOfNewUsersWhenTheHeapIsUsedUp() {
        // given
        useUpTheHeap();
        for (int i = 0; i < 1000 && subscribed("t", i, "hasty"); i++) {}

        // then
        for (int i = 0; i < 8; i++) {
            assertThat(subscribed("mine " + i, 1000 + i, "user " + i)).isTrue();
        }
    }

    @Test
    void shouldMakeRoomForAQueueThatIsUnusedForLongerThanOthers() {
        // given
        config = config.withDestinationBytes(100_000);
        restart();
        int made = 0;
        while (taken("used " + made, "hasty")) {
            made++;
        }
        shard.queue("first");

        // when
        for (int i = 0; i < made; i++) {
            StoredConsumer consumer = consumer(shard.queue("used " + i).queue());
            settle();
            acknowledge(consumer, 0);
            shard.detach(consumer, Return.UNSEEN);
        }
        settle();

        // then
        assertThat(taken("first", "hasty")).isTrue();
    }

    @Test
    void shouldRefuseMessagesWhereGapsTakeTooMuch() {
        // given subscriptions of which each wants one message among many
        config = config.withDestinationBytes(400_000);
        restart();
        StoredDestination topic = shard.topic("t");
        int[] ids = new int[20];
        for (int i = 0; i < ids.length; i++) {
            SubscriptionName name =
                    new SubscriptionName("client", "s" + i, false, true, false, "x = 1", "");
            ids[i] = shard.subscribe(topic, name, Outcome.IGNORED).id();
        }
        settle();

        // when
        int sent = 0;
        Result result = new Result();
        while (sent < 100_000 && result.failure == null) {
            Recipients some = Recipients.of(ids[sent % ids.length], ids[sent * 7 % ids.length]);
            shard.append(topic, Blocks.block(Spec.persistent(1)), 0, some, "", result);
            settle();
            sent++;
        }

        // then
        assertThat(result.failure).isNotNull().hasMessageContaining("storage.destinations");
        assertThat(taken("another")).isTrue();
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

    @Test
    void shouldChargeGapsInAQueueAfterARestartToo() {
        // given a queue of which every other message was acknowledged
        StoredDestination queue = shard.queue("gaps");
        long[] acknowledged = new long[1000];
        for (int i = 0; i < acknowledged.length; i++) {
            send(queue, Spec.persistent(i));
            send(queue, Spec.persistent(i));
            acknowledged[i] = 2L * i;
        }
        settle();
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, 1000, 1_000_000);
        settle();
        acknowledge(consumer, acknowledged);
        shard.detach(consumer, Return.UNSEEN);
        assertThat(messages("gaps")).isEqualTo(1000);
        assertThat(taken("gaps")).isFalse();
        assertThat(taken("another")).isFalse();

        // when
        restart();
        settle();

        // then
        assertThat(messages("gaps")).isEqualTo(1000);
        assertThat(taken("gaps")).isFalse();
        assertThat(taken("another")).isFalse();
    }

    @Test
    void shouldTakeMessagesAgainWhenTheRowsOfThoseBeforeAreDeleted() {
        // given a queue whose messages have so many priorities that it takes no more
        config = config.withDestinationBytes(20_000);
        restart();
        StoredDestination queue = shard.queue("q");
        Result result = new Result();
        int sent = 0;
        while (sent < 2000 && result.failure == null) {
            int priority = sent * 7 % 10;
            result = send(queue, new Spec(sent++, true, priority, 0, 0, 8));
            settle();
        }
        assertThat(result.failure).isNotNull().hasMessageContaining("storage.destinations");

        // when
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, sent, 1_000_000);
        settle();
        acknowledge(consumer, sequences(0, sent - 1));

        // then
        assertThat(messages("q")).isZero();
        assertThat(taken("q")).isTrue();
        assertThat(queue.chargedSetBytes).isEqualTo(queue.priorities().heapBytes());
    }

    @Test
    void shouldChargeHowOftenMessagesWereDelivered() {
        // given
        config = config(4000, 0, 0);
        restart();
        StoredSubscription queue = shard.queue("q").queue();
        for (int i = 0; i < 100; i++) {
            send(queue.destination(), Spec.persistent(i));
        }
        StoredConsumer consumer = consumer(queue);
        settle();
        long before = queue.setBytes();

        // when every other one fails again and again
        for (int attempt = 1; attempt <= 12; attempt++) {
            for (long sequence = 0; sequence < 100; sequence += 2) {
                shard.release(consumer, new long[] {sequence}, Return.FAILED);
            }
            settle();
        }

        // then
        assertThat(queue.earlierDeliveries(50)).isEqualTo(12);
        assertThat(queue.setBytes() - before).isGreaterThan(4L * HeapCost.BITMAP);
        assertThat(queue.chargedSetBytes).isGreaterThanOrEqualTo(queue.setBytes());
    }

    @Test
    void shouldAskForAllThatASubscriptionTakes() {
        // given room for some subscriptions, and for none with a selector of 60,000 characters
        config = config.withDestinationBytes(500_000);
        restart();
        SubscriptionName small = named("small");
        SubscriptionName large =
                new SubscriptionName("", "large", true, true, false, "x".repeat(60_000), "");
        shard.subscribe(shard.topic("t"), small, ownedBy("ann"));

        // then
        assertThat(shard.full("ann", StoredSubscription.heapBytes(small))).isNull();
        assertThat(shard.full("ann", StoredSubscription.heapBytes(large)))
                .contains("storage.destinations");
    }

    @Test
    void shouldLetOthersSendToATopicWhoseSubscriberHasNoRoom() {
        // given a user who has used up its share
        config = config.withDestinationBytes(100_000);
        restart();
        int made = 0;
        while (shard.full("ann", 0) == null) {
            made++;
            shard.subscribe(shard.topic("t" + made), named("s" + made), ownedBy("ann"));
        }

        // when
        StoredDestination topic = shard.topic("last");
        shard.subscribe(topic, named("last"), ownedBy("ann"));
        settle();

        // then its topic does not ask for a share again
        assertThat(topic.owner).isNotNull();
        assertThat(shard.registry().charge(topic, "ann")).isNull();
    }

    private static Outcome ownedBy(String user) {
        return new Outcome() {
            @Override
            public String owner() {
                return user;
            }

            @Override
            public void onDone() {}

            @Override
            public void onFailed(LogException failure) {
                throw failure;
            }
        };
    }
}
