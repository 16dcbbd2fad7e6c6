package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64Bitmap;
import winnow.broker.memory.HeapPart;
import winnow.broker.shard.Blocks.Spec;

class LanesTest extends ShardRig {
    private int matched;

    /// Lets no message through, but number 7 those of priority 0, 3, 6 and 9.
    private record Picky(int number) implements MessageFilter {
        @Override
        public boolean matches(byte[] head) {
            return number == 7 && new EveryThird(0).matches(head);
        }
    }

    private final class CountingIndex implements LaneIndex {
        private final LinearLaneIndex index = new LinearLaneIndex();

        @Override
        public void add(MessageFilter filter) {
            index.add(filter);
        }

        @Override
        public void remove(MessageFilter filter) {
            index.remove(filter);
        }

        @Override
        public void match(byte[] head, Consumer<MessageFilter> matching) {
            matched++;
            index.match(head, matching);
        }
    }

    @Test
    void shouldReadABacklogOnceForAllFilters() {
        config = config.withLaneIndexes(CountingIndex::new);
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 3000; i++) {
            send(queue, new Spec(i, true, i == 2800 ? 9 : 4, 0, 0, 8));
        }
        settle();
        restart();

        for (int i = 0; i < 200; i++) {
            consumer(shard.queue("q").queue(), new Picky(i));
        }
        settle();

        assertThat(received).containsExactly("2800");
        assertThat(matched).isEqualTo(3000);
    }

    @Test
    void shouldAskTheIndexOnceForAMessageThatComes() {
        config = config.withLaneIndexes(CountingIndex::new);
        restart();
        for (int i = 0; i < 200; i++) {
            consumer(shard.queue("q").queue(), new Picky(i));
        }

        send(shard.queue("q"), new Spec(1, true, 9, 0, 0, 8));
        settle();

        assertThat(received).containsExactly("1");
        assertThat(matched).isEqualTo(1);
    }

    @Test
    void shouldForgetTheFilterOfConsumersThatHaveGone() {
        config = config.withLaneIndexes(CountingIndex::new);
        restart();
        StoredDestination queue = shard.queue("q");
        shard.detach(consumer(queue.queue(), new Picky(7)), Return.UNSEEN);
        send(queue, new Spec(1, true, 9, 0, 0, 8));
        settle();
        assertThat(received).isEmpty();

        consumer(queue.queue(), new Picky(7));
        settle();

        assertThat(received).containsExactly("1");
    }

    @Test
    void shouldLookAtABacklogInMemorySomeAtATime() {
        // given
        config = config(1 << 20, 2, 0).withLaneIndexes(CountingIndex::new);
        restart();
        for (int i = 0; i < 3000; i++) {
            send(shard.queue("q"), new Spec(i, false, i == 2800 ? 9 : 4, 0, 0, 8));
        }
        settle();

        // when
        consumer(shard.queue("q").queue(), new Picky(7));
        shard.flush();

        // then other commands come in between
        int before = 0;
        int turns = 0;
        while (!tasks.isEmpty()) {
            assertThat(matched - before).isLessThan(300);
            before = matched;
            tasks.removeFirst().run();
            shard.flush();
            turns++;
        }
        assertThat(turns).isGreaterThan(10);
        assertThat(received).containsExactly("2800");
        assertThat(matched).isEqualTo(3000);
    }

    @Test
    void shouldDeliverOnceWhatIsTakenWhileFiltersLookAtIt() {
        // given
        config = config(1 << 20, 2, 0);
        restart();
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < 3000; i++) {
            send(queue, Spec.transientOne(i));
        }
        settle();

        // when a consumer of all takes messages while the filter of another looks at them
        consumer(queue.queue(), new EveryThird(1));
        shard.flush();
        StoredConsumer all = consumer(queue.queue());
        while (!tasks.isEmpty()) {
            tasks.removeFirst().run();
            shard.onCredit(all, 10, 10_000);
            shard.flush();
        }

        // then
        assertThat(received).doesNotHaveDuplicates().hasSizeGreaterThan(1000);
        settle();
        assertThat(received).doesNotHaveDuplicates();
    }

    @Test
    void shouldLetOtherCommandsInWhereManyConsumersWantAMessage() {
        // given
        config = config.withLaneIndexes(LinearLaneIndex::new);
        restart();
        for (int i = 0; i < 5000; i++) {
            consumer(shard.queue("q").queue(), new Wanting(i));
        }
        settle();

        // when
        send(shard.queue("q"), Spec.transientOne(1));
        send(shard.queue("q"), Spec.transientOne(2));
        shard.flush();

        // then
        assertThat(tasks).hasSize(1);
        settle();
        assertThat(received).containsExactlyInAnyOrder("1", "2");
    }

    /// Lets all messages through.
    private record Wanting(int number) implements MessageFilter {
        @Override
        public boolean matches(byte[] head) {
            return true;
        }
    }

    /// Lets a third of the messages through.
    private record Third(int number) implements MessageFilter {
        @Override
        public boolean matches(byte[] head) {
            return new EveryThird(number % 3).matches(head);
        }
    }

    private void sendOnly(int messages) {
        for (int i = 0; i < messages; i++) {
            send(shard.queue("q"), Spec.transientOne(i));
        }
        settle();
    }

    @Test
    void shouldKeepLittleOfABacklogWithoutGaps() {
        sendOnly(100_000);

        for (int i = 0; i < 3; i++) {
            shard.attach(shard.queue("q").queue(), new Picky(i), (a, b, c, d, e) -> {});
        }

        assertThat(shard.settlement().laneMemory().bytes()).isZero();
    }

    @Test
    void shouldLookAgainAtABacklogThatItHasNoRoomFor() {
        // given
        sendOnly(100_000);
        StoredSubscription queue = shard.queue("q").queue();
        for (int i = 0; i < 100_000; i += 2) {
            queue.take(i);
        }

        // when
        StoredConsumer first = shard.attach(queue, new Picky(1), (a, b, c, d, e) -> {});
        consumer(queue, new Wanting(2));

        // then
        settle();
        assertThat(received).hasSize(1000).startsWith("1", "3", "5").endsWith("1999");
        assertThat(shard.settlement().laneMemory().bytes()).isLessThan(4000);
        shard.detach(first, Return.UNSEEN);
    }

    @Test
    void shouldTakeMessagesBackOfABacklogThatItLooksAtFromTheFirstOn() {
        // given a lane that has no room, and has not looked at the first message
        Roaring64Bitmap unseen = new Roaring64Bitmap();
        for (int i = 0; i < 100_000; i += 2) {
            unseen.add(i);
        }
        StoredSubscription queue = shard.queue("q").queue();
        Lane lane =
                new Lane(
                        queue,
                        new Picky(1),
                        unseen,
                        HeapShares.ofPlaces(HeapPart.alone(HeapCost.BITMAP)));
        assertThat(lane.knowsLittle()).isTrue();

        // when
        lane.onUnseen(Roaring64Bitmap.bitmapOf(0, 5));

        // then it looks at them with all others
        assertThat(lane.next()).isEqualTo(-1);
        assertThat(lane.knowsLittle()).isTrue();
    }

    @Test
    void shouldKeepLittleOfWhatComesForConsumersThatWait() {
        // given
        config = config(100_000, 2, 0);
        restart();
        StoredSubscription queue = shard.queue("q").queue();
        List<StoredConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            consumers.add(
                    shard.attach(
                            queue,
                            new Third(i),
                            (its, sequence, earlier, block, maxNameId) ->
                                    received.add("" + Blocks.id(block))));
        }

        // when what they all want has gaps
        for (int i = 0; i < 20_000; i++) {
            send(queue.destination(), new Spec(i, false, i * 7919 % 10, 0, 0, 8));
            if (i % 3 == 0) {
                queue.take(i);
            }
        }
        settle();

        // then
        assertThat(shard.settlement().laneMemory().bytes()).isLessThan(100_000);
        for (int turn = 0; turn < 20; turn++) {
            for (StoredConsumer one : consumers) {
                shard.onCredit(one, 40, 1_000_000);
                settle();
                long[] delivered = new long[one.unacknowledged()];
                int[] count = new int[1];
                one.forEachDelivery((sequence, delivery) -> delivered[count[0]++] = sequence);
                acknowledge(one, delivered);
            }
        }
        assertThat(received).doesNotHaveDuplicates().hasSize(20_000 - 6667);
    }
}
