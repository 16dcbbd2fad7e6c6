package winnow.broker.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import winnow.wire.frame.Delivery;

class SubscriptionTest {
    private static final int MUCH = 1 << 30;
    private static final int BUDGET = 1000;

    private final BacklogMemory memory = new BacklogMemory(1 << 20);
    private final FakeLoop loop = new FakeLoop(0, memory);
    private final RecordingTarget target = new RecordingTarget(loop);
    private final RecordingListener listener = new RecordingListener();

    private Subscription subscription(int id) {
        return subscription(id, target);
    }

    private Subscription subscription(int id, RecordingTarget to) {
        return new Subscription(id, to, false, listener, BUDGET);
    }

    private void publish(String block, Subscription... subscriptions) {
        byte[] bytes = ("#" + block + "#").getBytes(US_ASCII);
        long number = loop.numberMessages(1);
        for (Subscription subscription : subscriptions) {
            subscription.onMessage(number, bytes, 1, bytes.length - 1, 0);
        }
    }

    @Test
    void shouldDeliverAtOnceWithCredit() {
        Subscription subscription = subscription(1);
        subscription.onCredit(1, MUCH);

        publish("a", subscription);
        publish("b", subscription);

        assertThat(target.copies).containsExactly("1:a");
        assertThat(subscription.backlogBytes()).isEqualTo(Delivery.frameBytes(1, 1));
    }

    @Test
    void shouldKeepTheOrderOfWhatWaits() {
        // given
        Subscription subscription = subscription(1);
        publish("a", subscription);
        publish("b", subscription);
        publish("c", subscription);

        // when
        subscription.onCredit(2, MUCH);
        publish("d", subscription);
        subscription.onCredit(9, MUCH);
        publish("e", subscription);

        // then
        assertThat(target.copies).containsExactly("1:a", "1:b", "1:c", "1:d", "1:e");
        assertThat(target.numbers).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldSendNoMoreThanTheBytesOfItsCredit() {
        Subscription subscription = subscription(1);
        publish("a", subscription);
        publish("b", subscription);
        publish("c", subscription);

        subscription.onCredit(MUCH, Delivery.frameBytes(1, 1) + 1);

        assertThat(target.copies).containsExactly("1:a", "1:b");
    }

    @Test
    void shouldWaitUntilTheSocketTakesBytes() {
        // given
        Subscription subscription = subscription(1);
        subscription.onCredit(9, MUCH);
        target.writable = false;
        publish("a", subscription);
        assertThat(target.copies).isEmpty();

        // when
        target.writable = true;
        subscription.onWritable();

        // then
        assertThat(target.copies).containsExactly("1:a");
    }

    @Test
    void shouldAnnounceNamesBeforeTheMessageThatWaited() {
        Subscription subscription = subscription(1);
        subscription.onMessage(loop.numberMessages(1), new byte[] {'a'}, 0, 1, 7);
        assertThat(target.copies).isEmpty();

        subscription.onCredit(1, MUCH);

        assertThat(target.copies).containsExactly("+7", "1:a");
    }

    @Test
    void shouldHoldProducersBackWhileMoreThanItsBudgetWaits() {
        // given
        Subscription subscription = subscription(1);
        String block = "x".repeat(400);
        publish(block, subscription);
        publish(block, subscription);
        assertThat(listener.calls).isEmpty();

        // when
        publish(block, subscription);

        // then
        assertThat(listener.calls).containsExactly("over 1");
        assertThat(subscription.overBudgetReason())
                .isEqualTo(
                        "subscription 1 of target has 1221 bytes waiting"
                                + " (subscription.buffer is 1000)");

        // and they go on below half of it
        subscription.onCredit(1, MUCH);
        assertThat(listener.calls).hasSize(1);
        subscription.onCredit(1, MUCH);
        assertThat(listener.calls).containsExactly("over 1", "relieved 1");
    }

    @Test
    void shouldKeepAMessageOnceHoweverManyWait() {
        // given
        int count = 64;
        Subscription[] waiting = new Subscription[count];
        for (int i = 0; i < count; i++) {
            waiting[i] = subscription(i + 1, new RecordingTarget(loop));
        }

        // when
        byte[] block = new byte[16 << 20];
        long number = loop.numberMessages(1);
        for (Subscription one : waiting) {
            one.onMessage(number, block, 0, block.length, 0);
        }

        // then
        assertThat(memory.usedBytes()).isBetween(16L << 20, (16L << 20) + 100);

        // and all is given back when the last one has got it
        for (Subscription one : waiting) {
            assertThat(memory.usedBytes()).isGreaterThan(16 << 20);
            one.onCredit(1, MUCH);
            ((RecordingTarget) one.target()).copies.clear();
        }
        assertThat(memory.usedBytes()).isZero();
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    void shouldTakeNothingForOneMessageThatOthersWaitForToo() {
        Subscription[] waiting = new Subscription[40_000];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = subscription(i + 1);
        }

        publish("a", waiting);

        assertThat(memory.usedBytes()).isEqualTo(SegmentPool.SEGMENT_BYTES);
        for (Subscription one : waiting) {
            one.close();
        }
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldCountPositionsOfMessagesThatOthersDoNotWaitFor() {
        // given one that gets every message, and one that gets every other
        Subscription all = subscription(1);
        Subscription some = subscription(2);

        // when
        for (int i = 0; i < 1000; i++) {
            publish("a", all);
            publish("b", all, some);
        }

        // then
        assertThat(memory.usedBytes())
                .isBetween(SegmentPool.SEGMENT_BYTES + 8000L, SegmentPool.SEGMENT_BYTES + 20_000L);

        // and nothing is left when both have got theirs
        all.onCredit(MUCH, MUCH);
        some.onCredit(MUCH, MUCH);
        assertThat(target.copies).hasSize(3000);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldDropTheOldest() {
        // given
        Subscription subscription = subscription(1);
        for (char c = 'a'; c <= 'f'; c++) {
            publish(String.valueOf(c), subscription);
        }
        long frameBytes = Delivery.frameBytes(1, 1);

        // when
        Subscription.Dropped dropped = subscription.dropOldest(2 * frameBytes + 1);

        // then
        assertThat(dropped).isEqualTo(new Subscription.Dropped(4, 4 * frameBytes));
        assertThat(subscription.backlogBytes()).isEqualTo(2 * frameBytes);
        subscription.onCredit(9, MUCH);
        assertThat(target.copies).containsExactly("1:e", "1:f");
    }

    @Test
    void shouldRelieveProducersWhenItDropsEnough() {
        Subscription subscription = subscription(1);
        publish("x".repeat(600), subscription);
        publish("y".repeat(600), subscription);

        assertThat(subscription.dropOldest(500).messages()).isEqualTo(2);

        assertThat(listener.calls).containsExactly("over 1", "relieved 1");
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldKeepAMessageWhoseDeliveryFailed() {
        // given
        Subscription subscription = subscription(1);
        publish("a", subscription);
        publish("b", subscription);
        target.failures = 1;

        // when
        assertThatThrownBy(() -> subscription.onCredit(9, MUCH)).hasMessage("the output fails");

        // then what waits is as it was, and can be freed
        assertThat(subscription.backlogBytes()).isEqualTo(2L * Delivery.frameBytes(1, 1));
        subscription.close();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldTakeNothingWhenItIsClosed() {
        Subscription subscription = subscription(1);
        publish("x".repeat(2000), subscription);
        subscription.close();

        publish("a", subscription);
        subscription.onCredit(1, MUCH);

        assertThat(target.copies).isEmpty();
        assertThat(listener.calls).containsExactly("over 1", "relieved 1");
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldBeRelievedWhenAllTogetherHoldLess() {
        // given others that hold all memory
        memory.take(memory.limitBytes());
        Subscription subscription = subscription(1);
        Subscription closed = subscription(2);
        publish("a", subscription, closed);
        assertThat(listener.calls).containsExactly("over 1", "over 2");
        assertThat(subscription.overBudgetReason())
                .contains("has 8 bytes waiting, and all together hold", "is 1048576)");
        closed.close();
        assertThat(listener.calls).containsExactly("over 1", "over 2", "relieved 2");

        // when
        memory.give(memory.limitBytes());
        loop.runCommands();

        // then
        assertThat(listener.calls).containsExactly("over 1", "over 2", "relieved 2", "relieved 1");
    }

    @Test
    void shouldTellManyOfMemoryInParts() {
        // given
        memory.take(memory.limitBytes());
        Subscription[] waiting = new Subscription[2500];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = subscription(i + 1);
        }
        publish("a", waiting);
        listener.calls.clear();

        // when
        memory.give(memory.limitBytes());

        // then
        loop.runCommands();
        assertThat(listener.calls).hasSize(1000);
        loop.runCommands();
        assertThat(listener.calls).hasSize(2000);
        loop.runCommands();
        assertThat(listener.calls).hasSize(2500);
        assertThat(loop.runCommands()).isZero();
    }
}
