package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;
import winnow.broker.shard.Operation;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Recipients;
import winnow.broker.shard.Selection;
import winnow.broker.shard.Shard;
import winnow.broker.shard.ShardConfig;
import winnow.broker.shard.ShardRecovery;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.Loop;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.MemoryShardLog;
import winnow.wire.DeliveryRanges;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;

class StoredSessionTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1 << 20));
    private final Outbox outbox = new Outbox(System::nanoTime);
    private final FlightMemory memory = new FlightMemory(HeapPart.alone(1 << 20));
    private final Connection connection = new Connection();
    private final Shard shard =
            ShardRecovery.open(
                    new MemoryShardLog(tasks::add),
                    ShardConfig.DEFAULTS,
                    tasks::add,
                    tasks::add,
                    number -> "",
                    1000);
    private final StoredSession session =
            new StoredSession(shard, outbox, connection, 1, ended -> {});

    /// Takes all at once.
    private final class Connection implements SessionTarget {
        final Flight flight = new Flight(memory, () -> "somebody");

        /// True if its socket takes what comes.
        boolean taking = true;

        int shown;

        /// Consumer, delivery and earlier deliveries.
        final List<String> received = new ArrayList<>();

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public Flight flight() {
            return flight;
        }

        @Override
        public void onDelivery(
                int session, int consumer, long delivery, int earlier, byte[] block, int maxName) {
            if (delivery == 0) {
                shown++;
            } else {
                received.add(consumer + ":" + delivery + (earlier > 0 ? "!" : ""));
            }
            if (taking) {
                take(block.length);
            }
        }

        void take(int blockBytes) {
            if (flight.onTaken(blockBytes)) {
                flight.resume(shard);
            }
        }

        @Override
        public void onDeliveryInParts(
                int session,
                int consumer,
                long delivery,
                int earlier,
                byte[] head,
                int maxName,
                int bodyBytes) {
            throw new AssertionError("a message in parts");
        }

        @Override
        public void onPart(int session, int consumer, byte[] part) {
            throw new AssertionError("a part");
        }

        @Override
        public void onCut(int session, int consumer) {
            throw new AssertionError("a cut");
        }

        @Override
        public void onRecall(int session, int consumer) {
            received.add(consumer + ":recall");
        }

        @Override
        public void onAbandoned(String why) {
            throw new AssertionError(why);
        }

        @Override
        public void onBrowseEnd(int session, int consumer) {
            received.add(consumer + ":end");
        }

        @Override
        public void onFault(Throwable fault) {
            throw new AssertionError(fault);
        }
    }

    private StoredSubscription queue(String name, int messages) {
        byte[] bytes = {0, 0};
        MessageBlock block = new MessageBlock();
        block.parse(bytes, 0, bytes.length);
        for (int i = 0; i < messages; i++) {
            shard.append(shard.queue(name), block, 0, Recipients.NONE, "", Outcome.IGNORED);
        }
        return shard.queue(name).queue();
    }

    private void append(String name, int priority) {
        byte[] bytes = {0, MessageBlock.HAS_PRIORITY, (byte) priority};
        MessageBlock block = new MessageBlock();
        block.parse(bytes, 0, bytes.length);
        shard.append(shard.queue(name), block, 0, Recipients.NONE, "", Outcome.IGNORED);
        settle();
    }

    private void attach(int number, StoredSubscription queue, int credit) {
        session.attach(number, queue, null, ended -> {});
        session.onCredit(number, credit, 1 << 30);
        settle();
    }

    private void settle() {
        do {
            shard.flush();
            outbox.flush();
            loop.runAllCommands();
            while (!tasks.isEmpty()) {
                tasks.removeFirst().run();
            }
            shard.flush();
        } while (flushed());
    }

    private boolean flushed() {
        outbox.flush();
        return loop.runCommands() > 0;
    }

    @Test
    void shouldKeepOfAConsumerWhatTheApplicationHasSeen() {
        StoredSubscription first = queue("a", 4);
        StoredSubscription second = queue("b", 1);
        attach(1, first, 2);
        attach(2, second, 1);
        session.onCredit(1, 2, 1000);
        settle();
        assertThat(connection.received).containsExactly("1:1", "1:2", "2:3", "1:4", "1:5");
        session.acknowledge(DeliveryRanges.of(1), Durability.WRITTEN, Outcome.IGNORED);

        session.endConsumer(1, DeliveryRanges.of(1, 3, 4));
        settle();

        assertThat(first.availableMessages()).isEqualTo(2);
        assertThat(first.unacknowledged()).isEqualTo(1);
        assertThat(second.unacknowledged()).isEqualTo(1);
        session.acknowledge(DeliveryRanges.of(2, 3, 4, 5), Durability.WRITTEN, Outcome.IGNORED);
        settle();
        assertThat(first.messages()).isEqualTo(2);
        assertThat(second.messages()).isZero();
    }

    @Test
    void shouldShowABrowserNoMoreThanItsConnectionTakes() {
        // given
        StoredSubscription queue = queue("a", 10_000);
        connection.taking = false;

        // when
        session.browse(1, queue, null);
        session.onCredit(1, Integer.MAX_VALUE, Integer.MAX_VALUE);
        settle();

        // then
        int shown = connection.shown;
        assertThat(shown).isBetween(1000, 5000);

        // when
        connection.taking = true;
        for (int i = 0; i < shown; i++) {
            connection.take(2);
        }
        settle();

        // then
        assertThat(connection.shown).isEqualTo(10_000);
        assertThat(connection.received).containsExactly("1:end");
    }

    @Test
    void shouldDeliverNothingThatAllConnectionsHaveNoRoomFor() {
        // given
        Flight other = fill();
        appendLarge("a");

        // when
        attach(1, shard.queue("a").queue(), 10);

        // then
        assertThat(connection.received).isEmpty();

        // when
        if (other.onTaken(900_000)) {
            other.resume(shard);
        }
        settle();

        // then
        assertThat(connection.received).containsExactly("1:1");
        assertThat(memory.usedBytes()).isZero();
    }

    /// Another connection leaves room for small messages only.
    private Flight fill() {
        Flight other = new Flight(memory, () -> "other");
        assertThat(other.take(900_000)).isTrue();
        return other;
    }

    private void appendLarge(String name) {
        byte[] large = new byte[700_000];
        MessageBlock block = new MessageBlock();
        block.parse(large, 0, large.length);
        shard.append(shard.queue(name), block, 0, Recipients.NONE, "", Outcome.IGNORED);
    }

    private void purge(String name) {
        shard.operations()
                .purge(
                        shard.queue(name).queue(),
                        Selection.all(),
                        new Operation.Result() {
                            @Override
                            public void onDone(long messages) {}

                            @Override
                            public void onFailed(long messages, LogException cause) {
                                throw new AssertionError(cause);
                            }
                        });
        settle();
        assertThat(shard.queue(name).queue().messages()).isZero();
    }

    private void giveBack(Flight other, int bytes) {
        if (other.onTaken(bytes)) {
            other.resume(shard);
        }
        settle();
    }

    @Test
    void shouldDeliverSmallMessagesWhenTheConsumerOfALargeOneHasEnded() {
        // given
        Flight other = fill();
        appendLarge("large");
        attach(1, shard.queue("large").queue(), 10);
        attach(2, queue("small", 1), 10);
        assertThat(connection.received).isEmpty();

        // when
        session.endConsumer(1, DeliveryRanges.NONE);
        giveBack(other, 500_000);

        // then
        assertThat(connection.received).containsExactly("2:1");
    }

    @Test
    void shouldDeliverSmallMessagesWhenALargeOneHasGoneElsewhere() {
        // given
        Flight other = fill();
        appendLarge("a");
        attach(1, shard.queue("a").queue(), 10);
        purge("a");
        giveBack(other, 900_000);

        // when
        fill();
        append("a", 4);

        // then
        assertThat(connection.received).containsExactly("1:1");
    }

    @Test
    void shouldFindTheOneThatHasRoomAmongManyThatWait() {
        // given
        Flight other = fill();
        for (int i = 0; i < 1000; i++) {
            assertThat(new Flight(memory, () -> "many").take(700_000)).isFalse();
        }
        append("a", 4);
        connection.flight.take(150_000);
        attach(1, shard.queue("a").queue(), 10);
        assertThat(connection.received).isEmpty();

        // when
        if (other.onTaken(500_000)) {
            other.resume(shard);
        }

        // then in slices
        shard.flush();
        assertThat(shard.queue("a").queue().unacknowledged()).isZero();
        settle();
        assertThat(connection.received).containsExactly("1:1");
    }

    @Test
    void shouldGiveBackWhatNobodyHasSeenAndAllCredit() {
        // given
        StoredSubscription queue = queue("a", 4);
        attach(1, queue, 10);

        // when
        session.giveBack(1, DeliveryRanges.of(1, 2));
        settle();
        attach(2, queue, 10);

        // then
        assertThat(connection.received).containsExactly("1:1", "1:2", "1:3", "1:4", "2:5", "2:6");
        session.acknowledge(DeliveryRanges.of(1, 2, 5, 6), Durability.WRITTEN, Outcome.IGNORED);
        settle();
        assertThat(queue.messages()).isZero();
    }

    @Test
    void shouldRecallOnceWhatAnotherConsumerWaitsFor() {
        // given
        StoredSubscription queue = queue("a", 1);
        attach(1, queue, 10);
        attach(2, queue, 10);
        connection.received.clear();

        // when
        assertThat(session.ask(2)).isNull();
        assertThat(session.ask(2)).isNull();
        assertThat(session.ask(1)).isNull();
        settle();

        // then
        assertThat(connection.received).containsExactly("1:recall");
        session.giveBack(1, DeliveryRanges.NONE);
        settle();
        assertThat(connection.received).containsExactly("1:recall", "2:2");
    }

    @Test
    void shouldRecallNothingWhileMessagesWait() {
        // given
        StoredSubscription queue = queue("a", 2);
        attach(1, queue, 1);
        attach(2, queue, 0);
        connection.received.clear();

        // when
        assertThat(session.ask(2)).isNull();
        settle();

        // then
        assertThat(connection.received).isEmpty();
    }

    @Test
    void shouldLetFewMessagesPassThatAreMoreImportant() {
        // given
        attach(1, queue("a", 5), 5);
        connection.received.clear();

        // when
        append("a", 4);
        append("a", 9);
        append("a", 3);

        // then
        assertThat(connection.received).containsExactly("1:6");
        for (int i = 0; i < 2 * Protocol.PASSING_MESSAGES; i++) {
            append("a", 9);
        }
        assertThat(connection.received).hasSize(Protocol.PASSING_MESSAGES);
        session.onCredit(1, Protocol.PASSING_MESSAGES, 0);
        settle();
        assertThat(connection.received).hasSize(2 * Protocol.PASSING_MESSAGES);
    }

    @Test
    void shouldLetNothingPassToAConsumerThatHasGivenAllBack() {
        // given
        attach(1, queue("a", 5), 5);
        session.giveBack(1, DeliveryRanges.of(1, 2));
        settle();
        connection.received.clear();

        // when
        append("a", 9);

        // then
        assertThat(connection.received).isEmpty();
    }

    @Test
    void shouldGiveBackOneDeliveryThatTheClientCannotTake() {
        // given
        StoredSubscription queue = queue("a", 1);
        attach(1, queue, 1);

        // when
        session.giveBack(DeliveryRanges.of(1));
        settle();

        // then
        assertThat(connection.received).containsExactly("1:1", "1:2!");
    }

    @Test
    void shouldEndConsumersOfASessionThatHasMuchUnacknowledged() {
        attach(1, queue("a", 100_000), 100_000);
        StoredSubscription idle = queue("b", 0);
        long begin = System.nanoTime();
        for (int i = 0; i < 5000; i++) {
            session.attach(2, idle, null, ended -> {});
            session.endConsumer(2, DeliveryRanges.NONE);
        }

        // A walk through all deliveries for each takes several times as long.
        assertThat(System.nanoTime() - begin).isLessThan(2_000_000_000L);
        assertThat(shard.queue("a").queue().unacknowledged()).isEqualTo(100_000);
    }
}
