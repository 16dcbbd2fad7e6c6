package winnow.broker.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.wire.frame.Delivery;

class WaitingMessagesTest {
    private static final int MUCH = 1 << 30;

    private final long seed = Long.getLong("winnow.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final BacklogMemory memory = new BacklogMemory(1L << 40);
    private final FakeLoop loop = new FakeLoop(0, memory);
    private final List<Consumer> consumers = new ArrayList<>();

    /// A subscription and what it has to get.
    private final class Consumer {
        final RecordingTarget target = new RecordingTarget(loop);
        final Subscription subscription =
                new Subscription(1, target, false, new RecordingListener(), 1L << 40);
        final ArrayDeque<String> expected = new ArrayDeque<>();
        final int oneIn;

        Consumer(int oneIn) {
            this.oneIn = oneIn;
        }

        void credit(int messages) {
            subscription.onCredit(messages, MUCH);
            check();
        }

        void drop(int messages) {
            check();
            long bytes = 0;
            for (int i = 0; i < messages && !expected.isEmpty(); i++) {
                bytes += Delivery.frameBytes(1, expected.remove().length() - 2);
            }
            assertThat(subscription.dropOldest(subscription.backlogBytes() - bytes).bytes())
                    .isEqualTo(bytes);
        }

        private void check() {
            for (String copy : target.copies) {
                assertThat(copy).as("-Dwinnow.seed=" + seed).isEqualTo(expected.poll());
            }
            target.copies.clear();
        }
    }

    private byte[] block(int number) {
        int size =
                switch (random.nextInt(200)) {
                    case 0 -> random.nextInt(100_000);
                    case 1, 2, 3 -> random.nextInt(30_000);
                    default -> random.nextInt(300);
                };
        String text = number + "/";
        return (text + "x".repeat(size)).getBytes(US_ASCII);
    }

    /// Publishes some messages, delivered consumer by consumer or message by message.
    private void publishBatch(int firstNumber) {
        int count = 1 + random.nextInt(50);
        byte[][] blocks = new byte[count][];
        boolean[][] matches = new boolean[count][consumers.size()];
        long first = loop.numberMessages(count);
        for (int m = 0; m < count; m++) {
            blocks[m] = block(firstNumber + m);
            for (int c = 0; c < consumers.size(); c++) {
                matches[m][c] = random.nextInt(consumers.get(c).oneIn) == 0;
            }
        }
        boolean byConsumer = random.nextBoolean();
        for (int i = 0; i < count * consumers.size(); i++) {
            int m = byConsumer ? i % count : i / consumers.size();
            int c = byConsumer ? i / count : i % consumers.size();
            if (matches[m][c]) {
                Consumer to = consumers.get(c);
                to.expected.add("1:" + new String(blocks[m], US_ASCII));
                to.subscription.onMessage(first + m, blocks[m], 0, blocks[m].length, 0);
            }
        }
    }

    @Test
    void shouldLoseAndDoubleAndReorderNothing() {
        // given
        for (int i = 0; i < 12; i++) {
            consumers.add(new Consumer(1 + i * i));
        }

        // when
        for (int round = 0; round < 1000; round++) {
            publishBatch(round * 100);
            for (Consumer consumer : consumers) {
                switch (random.nextInt(40)) {
                    case 0 -> consumer.credit(MUCH);
                    case 1, 2, 3 -> consumer.credit(1 + random.nextInt(200));
                    case 4 -> consumer.drop(random.nextInt(50));
                    default -> consumer.check();
                }
            }
            if (random.nextInt(10) == 0) {
                loop.waiting().trim();
            }
        }

        // then
        for (Consumer consumer : consumers) {
            consumer.credit(MUCH);
            assertThat(consumer.expected).as("-Dwinnow.seed=" + seed).isEmpty();
        }
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldNotKeepManySegmentsForAFewMessages() {
        // given one that gets a message now and then and takes none, and one that takes all
        Consumer slow = new Consumer(100);
        Consumer quick = new Consumer(1);
        consumers.add(slow);
        consumers.add(quick);

        // when 40 MB and more go by
        long most = 0;
        for (int round = 0; round < 2000; round++) {
            publishBatch(round * 100);
            most = Math.max(most, memory.usedBytes() - quick.subscription.backlogBytes());
            quick.credit(1000);
        }

        // then
        long waits = slow.subscription.backlogBytes();
        assertThat(most).as("-Dwinnow.seed=" + seed).isLessThan(5 * waits + (1 << 20));
        slow.credit(MUCH);
        assertThat(slow.expected).isEmpty();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldMoveMessagesAgain() {
        // given messages that wait for two, one of whom gets few of them
        Consumer slow = new Consumer(1);
        List<Consumer> others = new ArrayList<>();
        byte[] block = new byte[1000];
        for (int round = 0; round < 8; round++) {
            Consumer other = new Consumer(1);
            others.add(other);
            for (int i = 0; i < 4000; i++) {
                long number = loop.numberMessages(1);
                String text = round + "/" + i + "/";
                byte[] bytes = text.getBytes(US_ASCII);
                System.arraycopy(bytes, 0, block, 0, bytes.length);
                deliver(number, block, other);
                if (i % (10 * (round + 1)) == 0) {
                    deliver(number, block, slow);
                }
                if (i % 9 == 0 && round > 0) {
                    deliver(number, block, others.get(random.nextInt(round)));
                }
            }
        }

        // when they take theirs one after the other
        for (Consumer other : others) {
            other.credit(MUCH);
            assertThat(other.expected).isEmpty();
        }

        // then
        assertThat(memory.usedBytes()).isLessThan(4 * slow.subscription.backlogBytes() + (1 << 20));
        slow.credit(MUCH);
        assertThat(slow.expected).as("-Dwinnow.seed=" + seed).isEmpty();
        assertThat(memory.usedBytes()).isZero();
    }

    private void deliver(long number, byte[] block, Consumer consumer) {
        consumer.expected.add("1:" + new String(block, US_ASCII));
        consumer.subscription.onMessage(number, block, 0, block.length, 0);
    }

    @Test
    void shouldKeepArraysForLaterWithinTheLimitAndLetThemGo() {
        // given an eighth of the limit is 4 arrays
        BacklogMemory small = new BacklogMemory(8L * 4 * SegmentPool.SEGMENT_BYTES);
        FakeLoop own = new FakeLoop(0, small);
        RecordingTarget target = new RecordingTarget(own);
        Subscription subscription =
                new Subscription(1, target, false, new RecordingListener(), 1L << 40);
        for (int i = 0; i < 20; i++) {
            long number = own.numberMessages(1);
            for (int part = 0; part < 8; part++) {
                subscription.onMessage(number + part, new byte[16_000], 0, 16_000, 0);
            }
            own.numberMessages(7);
        }
        assertThat(small.keptBytes()).isZero();

        // when
        subscription.onCredit(MUCH, MUCH);

        // then
        assertThat(small.usedBytes()).isZero();
        assertThat(small.keptBytes()).isEqualTo(4 * SegmentPool.SEGMENT_BYTES);

        // and they go when they are not used
        own.waiting().trim();
        for (int left = 2; left >= 0; left--) {
            own.waiting().trim();
            long most = (long) left * SegmentPool.SEGMENT_BYTES;
            assertThat(small.keptBytes()).isLessThanOrEqualTo(most);
        }
        assertThat(small.keptBytes()).isZero();
    }

    @Test
    void shouldKeepAMessageThatComesAgainOnce() {
        // given messages of all sizes that come again and again, between others
        for (int round = 0; round < 50; round++) {
            consumers.clear();
            for (int i = 0; i < 10; i++) {
                consumers.add(new Consumer(1));
            }
            long number = loop.beginMessage();
            byte[] again = block(round);
            for (int i = 0; i < consumers.size(); i++) {
                publish(loop.numberMessages(1), block(-1), consumers);
                publish(number, again, List.of(consumers.get(i)));
                consumers.get(random.nextInt(1 + i)).credit(2);
            }
            loop.endMessage(number);
            consumers.forEach(consumer -> consumer.credit(MUCH));
            assertThat(memory.usedBytes()).as("-Dwinnow.seed=" + seed).isZero();
        }
    }

    @Test
    void shouldTakeMemoryOnceForAMessageThatComesAgain() {
        // given
        byte[] large = ("/" + "x".repeat(1_000_000)).getBytes(US_ASCII);
        Consumer first = new Consumer(1);
        Consumer second = new Consumer(1);
        long number = loop.beginMessage();

        // when the first has it already when the second comes
        publish(number, large, List.of(first));
        first.credit(1);
        long used = memory.usedBytes();
        publish(number, large, List.of(second));

        // then
        assertThat(memory.usedBytes()).isEqualTo(used).isGreaterThan(1_000_000);
        loop.endMessage(number);
        assertThat(memory.usedBytes()).isEqualTo(used);
        second.credit(1);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldKeepALargeMessageWhereItIs() {
        // given
        byte[] large = ("/" + "x".repeat(1_000_000)).getBytes(US_ASCII);
        byte[] two = Arrays.copyOf(large, 2 * large.length);
        Consumer consumer = new Consumer(1);

        // when
        publish(loop.numberMessages(1), large, List.of(consumer));

        // then
        assertThat(memory.usedBytes()).isBetween(1_000_000L, 1_001_000L);
        consumer.credit(1);
        assertThat(consumer.target.arrays.getLast()).isSameAs(large);
        assertThat(memory.usedBytes()).isZero();

        // and when its array has much more
        consumer.subscription.onMessage(loop.numberMessages(1), two, 0, large.length, 0);
        consumer.expected.add("1:" + new String(large, US_ASCII));

        // then
        assertThat(memory.usedBytes()).isBetween(1_000_000L, 1_001_000L);
        consumer.credit(1);
        assertThat(consumer.target.arrays.getLast()).isNotSameAs(two);
        assertThat(memory.usedBytes()).isZero();
    }

    private static void publish(long number, byte[] block, List<Consumer> to) {
        for (Consumer one : to) {
            one.subscription.onMessage(number, block, 0, block.length, 0);
            one.expected.add("1:" + new String(block, US_ASCII));
        }
    }

    @Test
    void shouldGiveMemoryBackOfAMessageThatWasMovedBeforeItCameAgain() {
        // given a message in steps that waits for one subscription
        byte[] small = "small".getBytes(US_ASCII);
        byte[] filling = "x".repeat(10_000).getBytes(US_ASCII);
        Subscription early = subscription();
        Subscription late = subscription();
        Subscription slow = subscription();
        Subscription fast = subscription();
        long number = loop.beginMessage();
        for (int segment = 0; segment < 20; segment++) {
            if (segment == 3) {
                give(early, number, small);
            }
            give(slow, loop.numberMessages(1), small);
            for (int i = 0; i < 6; i++) {
                give(fast, loop.numberMessages(1), filling);
            }
        }

        // when what is left in sparse segments moves before the next step
        fast.onCredit(MUCH, MUCH);
        give(late, number, small);
        loop.endMessage(number);
        early.onCredit(MUCH, MUCH);
        slow.onCredit(MUCH, MUCH);
        late.onCredit(MUCH, MUCH);

        // then
        assertThat(loop.waiting().copies()).isZero();
        assertThat(memory.usedBytes()).isZero();
    }

    private Subscription subscription() {
        return new Subscription(
                1, new RecordingTarget(loop), false, new RecordingListener(), 1L << 40);
    }

    private static void give(Subscription to, long number, byte[] block) {
        to.onMessage(number, block, 0, block.length, 0);
    }
}
