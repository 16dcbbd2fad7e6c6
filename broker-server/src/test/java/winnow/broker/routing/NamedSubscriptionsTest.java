package winnow.broker.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.BrokerConfig;
import winnow.broker.destination.Topic;
import winnow.broker.matching.NameDictionary;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.routing.NamedSubscriptions.Wish;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Recipients;
import winnow.broker.shard.Shard;
import winnow.broker.shard.ShardConfig;
import winnow.broker.shard.ShardRecovery;
import winnow.broker.shard.StoredConsumer;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.shard.StoredTransaction;
import winnow.broker.shard.SubscriptionName;
import winnow.broker.storage.Storage;
import winnow.broker.storage.StorageConfig;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingTarget;
import winnow.selector.check.SelectorLimits;
import winnow.store.MemoryShardLog;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Xid;

/// What becomes of named subscriptions when a storage is opened, and opened again. The shard and
/// the loop of the topics run when the test says so.
class NamedSubscriptionsTest {
    private static final SelectorLimits LIMITS = SelectorLimits.ACCEPTED;
    private static final byte[] BLOCK = {0, 0, 'a'};
    private static final byte[] PERSISTENT = {MessageBlock.PERSISTENT, 0, 'a'};

    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1 << 20));
    private final RecordingTarget producer = new RecordingTarget(loop);
    private final Router router =
            new Router(
                    loop,
                    List.of(loop),
                    1,
                    new NameDictionary(16),
                    new LoopCounters(new BrokerCounters(), 0));
    private final DestinationRegistry registry =
            new DestinationRegistry(
                    BrokerConfig.of(Map.of("destination.max-topics", "2")).destination(),
                    List.of(loop));

    /// Brings answers of the loop back; it has no subscriptions of its own.
    private final Storage storage =
            Storage.open(StorageConfig.DEFAULTS, ShardConfig.DEFAULTS, id -> "", loop.faults());

    private final NamedSubscriptions named = new NamedSubscriptions(storage, registry);
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final MemoryShardLog log = new MemoryShardLog(tasks::add);
    private Shard shard = open();

    private Shard open() {
        return ShardRecovery.open(
                log, ShardConfig.DEFAULTS, tasks::add, tasks::add, number -> "", 1000);
    }

    @BeforeEach
    void start() {
        storage.start();
    }

    @AfterEach
    void stop() {
        storage.close();
    }

    private void settle() {
        do {
            shard.flush();
            while (!tasks.isEmpty()) {
                tasks.removeFirst().run();
            }
            loop.runAllCommands();
            storage.awaitIdle(List.of(), 10_000);
        } while (loop.runCommands() > 0);
    }

    private static SubscriptionName durable(String name, String selector) {
        return new SubscriptionName("c", name, false, true, false, selector, "");
    }

    private static Wish wish(String topic, SubscriptionName name) {
        var filter = new SubscriptionFilter(name.selector(), name.correlationFilter());
        return new Wish(topic, name, filter.parse(LIMITS), "ann", _ -> true);
    }

    private StoredSubscription join(Wish wish) {
        List<StoredSubscription> joined = new ArrayList<>();
        named.join(shard, wish, joined::add, refused -> fail(refused));
        settle();
        assertThat(joined).hasSize(1);
        return joined.getFirst();
    }

    /// A subscription as a storage has it, however it came there.
    private StoredSubscription store(String topic, SubscriptionName name) {
        return shard.subscribe(shard.topic(topic), name, Outcome.IGNORED);
    }

    private void recover() {
        CompletableFuture<Void> recovered = named.recover(shard, LIMITS);
        settle();
        assertThat(recovered).isCompleted();
    }

    private Topic topic(String name) {
        return registry.find(name).orElseThrow();
    }

    private @Nullable Recipients wanted(String topic) {
        MessageBlock block = new MessageBlock();
        block.parseFields(BLOCK, 0, BLOCK.length);
        assertThat(router.begin(topic(topic), block, producer, Audience.STORED_ONLY, null))
                .isNull();
        return router.result().recipients();
    }

    @Test
    void shouldFindSubscriptionsAtAnyTimeWhileAStorageIsOpenedAgain() {
        // given
        join(wish("all", durable("a", "")));
        StoredSubscription some = join(wish("some", durable("s", "x IS NULL")));
        shard = open();

        // when
        named.reopen(shard, LIMITS);

        // then
        do {
            assertThat(wanted("all")).isNotNull();
            assertThat(wanted("some")).isNotNull();
        } while (loop.runCommands() > 0);
        assertThat(join(wish("some", durable("s", "x IS NULL"))))
                .isSameAs(shard.catalog().findSubscription(some.id()).orElseThrow());
    }

    @Test
    void shouldForgetWhatAStorageHasNotThatWasOpenedAgain() {
        // given
        join(wish("t", new SubscriptionName("", "shared", true, false, false, "", "")));
        assertThat(wanted("t")).isNotNull();
        shard = open();

        // when
        named.reopen(shard, LIMITS);
        settle();

        // then
        assertThat(registry.find("t")).isEmpty();
    }

    @Test
    void shouldTakeUpMoreTopicsThanNewOnesMayBe() {
        store("a", durable("a", ""));
        store("b", durable("b", ""));
        store("c", durable("c", ""));

        recover();

        assertThat(wanted("a")).isNotNull();
        assertThat(wanted("b")).isNotNull();
        assertThat(wanted("c")).isNotNull();
        assertThatThrownBy(() -> registry.acquireTopic("d"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("destination.max-topics");
    }

    @Test
    void shouldEndSubscriptionsOfTemporaryTopicsThatAreNoMore() {
        // given
        StoredSubscription wrong =
                store(Protocol.TEMPORARY_PREFIX + "0000000000000001/t", durable("w", ""));
        store("t", durable("a", ""));

        // when
        recover();

        // then
        assertThat(wanted("t")).isNotNull();
        assertThat(shard.catalog().findSubscription(wrong.id())).isEmpty();
        shard = open();
        assertThat(shard.catalog().findSubscription(wrong.id())).isEmpty();
    }

    @Test
    void shouldKeepWhatHasASelectorThatCannotBeUsedUntilItIsDeleted() {
        // given
        StoredSubscription wrong = store("t", durable("w", "x = = 1"));
        store("t", durable("a", ""));

        // when
        recover();

        // then
        assertThat(wanted("t")).isNotNull();
        assertThat(shard.catalog().findSubscription(wrong.id())).contains(wrong);
        List<RefusedException> refusals = new ArrayList<>();
        named.join(
                shard,
                new Wish("t", wrong.name(), null, "ann", _ -> true),
                joined -> fail("joined"),
                refusals::add);
        named.join(
                shard,
                new Wish("t", wrong.name(), null, "ann", _ -> false),
                joined -> fail("joined"),
                refusals::add);
        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INTERNAL_ERROR));
        assertThat(refusals.getFirst()).hasMessageContaining("its selector cannot be used: ");
        assertThat(refusals.getLast()).hasMessage("subscription 'c.w' cannot be used, delete it");
        named.delete(shard, "c", "w", _ -> true, Outcome.IGNORED);
        settle();
        assertThat(shard.catalog().findSubscription(wrong.id())).isEmpty();
        assertThat(join(wish("t", durable("w", "x = 1"))).ended()).isFalse();
    }

    @Test
    void shouldNotLetASubscriptionMissMessagesThatCannotBeDeleted() {
        // given
        named.leave(shard, join(wish("t", durable("a", ""))));
        log.close();
        shard.topic("other");
        settle();
        assertThat(shard.failure()).isPresent();

        // when
        assertThatThrownBy(() -> named.delete(shard, "c", "a", _ -> true, Outcome.IGNORED))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused ->
                                assertThat(refused.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        settle();

        // then
        assertThat(wanted("t")).isNotNull();
    }

    /// Lets a consumer receive a message of a subscription, and ends it.
    ///
    /// @return what it has received
    private StoredTransaction receive(StoredSubscription subscription) {
        MessageBlock block = new MessageBlock();
        block.parseFields(PERSISTENT, 0, PERSISTENT.length);
        shard.append(subscription.destination(), block, 0, Recipients.NONE, "", Outcome.IGNORED);
        StoredTransaction received = new StoredTransaction();
        StoredConsumer consumer =
                shard.attach(
                        subscription,
                        null,
                        (its, sequence, earlier, bytes, maxNameId) ->
                                received.acknowledge(its, sequence));
        shard.onCredit(consumer, 1, 1000);
        settle();
        assertThat(received.size()).isEqualTo(1);
        shard.detach(consumer, sequence -> true);
        return received;
    }

    private void refusesToEnd(StoredSubscription subscription) {
        assertThatThrownBy(() -> named.delete(shard, "c", "a", _ -> true, Outcome.IGNORED))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused ->
                                assertThat(refused.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE))
                .hasMessageContaining("has 1 messages that were delivered");
        assertThatThrownBy(() -> named.delete(shard, "c", "a", _ -> false, Outcome.IGNORED))
                .hasMessageContaining("has messages that were delivered");
        List<RefusedException> refusals = new ArrayList<>();
        named.join(
                shard, wish("t", durable("a", "x = 1")), joined -> fail("joined"), refusals::add);
        assertThat(refusals)
                .singleElement()
                .satisfies(refused ->
                        assertThat(refused.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE));
        assertThat(subscription.ended()).isFalse();
    }

    @Test
    void shouldNotEndASubscriptionOfWhichAMessageMayComeAgain() {
        // given
        StoredSubscription subscription = join(wish("t", durable("a", "")));
        StoredTransaction received = receive(subscription);
        named.leave(shard, subscription);

        // then
        refusesToEnd(subscription);

        // when
        shard.transactions().commit(received, "", Outcome.IGNORED);
        settle();

        // then
        named.delete(shard, "c", "a", _ -> true, Outcome.IGNORED);
        assertThat(subscription.ended()).isTrue();
    }

    @Test
    void shouldNotEndASubscriptionOfWhichAPreparedTransactionHasAMessage() {
        // given
        StoredSubscription subscription = join(wish("t", durable("a", "")));
        Xid xid = new Xid(1, new byte[] {1}, new byte[] {1});
        shard.transactions().prepare(xid, receive(subscription), Outcome.IGNORED);
        named.leave(shard, subscription);
        settle();

        // then
        refusesToEnd(subscription);

        // when
        shard = open();
        named.reopen(shard, LIMITS);
        settle();

        // then
        StoredSubscription found =
                shard.catalog().findSubscription(subscription.id()).orElseThrow();
        refusesToEnd(found);
        shard.transactions().rollback(xid, Outcome.IGNORED, () -> fail("unknown"));
        // After a restart it counts as delivered before, and waits for its redelivery delay.
        shard.onTime(2000);
        settle();
        assertThat(found.availableMessages()).isEqualTo(1);
        named.delete(shard, "c", "a", _ -> true, Outcome.IGNORED);
        assertThat(found.ended()).isTrue();
    }
}
