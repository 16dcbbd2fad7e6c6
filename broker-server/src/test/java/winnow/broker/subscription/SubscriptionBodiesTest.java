package winnow.broker.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Messages in parts of live subscriptions.
class SubscriptionBodiesTest {
    private static final int MUCH = 1 << 30;
    private static final int BUDGET = 1000;
    private static final int BODY_BYTES = 5000;

    private final BacklogMemory memory = new BacklogMemory(1 << 20);
    private final FakeLoop loop = new FakeLoop(0, memory);
    private final RecordingTarget target = new RecordingTarget(loop);
    private final RecordingListener listener = new RecordingListener();
    private final RecordingStreams streams = new RecordingStreams();

    private static final class Body extends LiveBody {
        private int unneeded;

        Body() {
            super(BODY_BYTES);
        }

        @Override
        protected void onUnneeded() {
            unneeded++;
        }
    }

    private Subscription subscription(int id) {
        return new Subscription(id, target, false, listener, BUDGET, streams);
    }

    private void publish(String block, Subscription... subscriptions) {
        byte[] bytes = block.getBytes(US_ASCII);
        long number = loop.numberMessages(1);
        for (Subscription subscription : subscriptions) {
            subscription.onMessage(number, bytes, 0, bytes.length, 0);
        }
    }

    /// @return the body, without the reference of who publishes it
    private Body publishInParts(String head, Subscription... subscriptions) {
        Body body = new Body();
        byte[] bytes = head.getBytes(US_ASCII);
        long number = loop.numberMessages(1);
        for (Subscription subscription : subscriptions) {
            body.retain();
            subscription.onMessageInParts(number, bytes, 0, bytes.length, 0, body);
        }
        body.release();
        return body;
    }

    @Test
    void shouldBeginAtOnceWithCreditAndKeepTheOrder() {
        // given
        Subscription one = subscription(1);
        Subscription other = subscription(2);
        one.onCredit(9, MUCH);
        other.onCredit(9, MUCH);

        // when
        Body first = publishInParts("a", one, other);
        publish("b", one, other);
        Body second = publishInParts("c", one);
        publish("d", one);

        // then
        assertThat(streams.events).containsExactly("1:a", "2:a");
        assertThat(target.copies).isEmpty();

        // when
        one.onBodyEnd();

        // then
        assertThat(target.copies).containsExactly("1:b");
        assertThat(streams.events).containsExactly("1:a", "2:a", "1:c");
        assertThat(first.unneeded).isZero();

        // when a part is on its way, and the last
        long messages = one.takenMessages();
        long bytes = one.takenBytes();
        one.onBodyPart(BODY_BYTES);
        assertThat(one.takenMessages()).isEqualTo(messages + 1);
        assertThat(one.takenBytes()).isEqualTo(bytes + BODY_BYTES);
        one.onBodyEnd();
        other.onBodyEnd();

        // then
        assertThat(target.copies).containsExactly("1:b", "1:d", "2:b");
        assertThat(first.unneeded).isOne();
        assertThat(second.unneeded).isOne();
        assertThat(memory.usedBytes()).isZero();
        assertThat(one.takenBytes()).isGreaterThan(BODY_BYTES);
    }

    @Test
    void shouldExceedItsCreditOnce() {
        // given
        Subscription one = subscription(1);
        one.onCredit(9, 1);
        publishInParts("a", one);
        publishInParts("b", one);

        // when
        one.onBodyEnd();
        one.onCredit(0, BODY_BYTES);

        // then
        assertThat(streams.events).containsExactly("1:a");

        // when
        one.onCredit(0, 1);

        // then
        assertThat(streams.events).containsExactly("1:a", "1:b");
    }

    @Test
    void shouldGiveTheCreditBackOfWhatIsGone() {
        // given
        Subscription one = subscription(1);
        one.onCredit(1, 1);
        Body body = publishInParts("a", one);
        publish("b", one);

        // when
        one.onBodyGone();

        // then
        assertThat(body.unneeded).isOne();
        assertThat(target.copies).containsExactly("1:b");
    }

    @Test
    void shouldNotBeBehindForTheFirstThatWaits() {
        // given
        Subscription one = subscription(1);

        // when
        publishInParts("a", one);

        // then
        assertThat(one.full()).isFalse();
        assertThat(one.backlogBytes()).isGreaterThan(BODY_BYTES);
        assertThat(one.limitedBytes()).isLessThan(BUDGET);

        // when
        publishInParts("b", one);

        // then
        assertThat(one.full()).isTrue();

        // when
        one.onCredit(9, MUCH);
        one.onBodyEnd();

        // then
        assertThat(one.full()).isFalse();
        assertThat(streams.events).containsExactly("1:a", "1:b");
    }

    @Test
    void shouldReleaseBodiesThatAreDropped() {
        // given
        Subscription one = subscription(1);
        Body first = publishInParts("a", one);
        publish("b", one);
        Body second = publishInParts("c", one);

        // when
        Subscription.Dropped dropped = one.dropOldest(BUDGET);

        // then
        assertThat(dropped.messages()).isOne();
        assertThat(dropped.bytes()).isGreaterThan(BODY_BYTES);
        assertThat(first.unneeded).isOne();
        assertThat(second.unneeded).isZero();
    }

    @Test
    void shouldReleaseAllWhenItEnds() {
        // given
        Subscription one = subscription(1);
        one.onCredit(1, MUCH);
        Body first = publishInParts("a", one);
        Body second = publishInParts("b", one);

        // when
        one.close();
        Body late = publishInParts("c", one);

        // then
        assertThat(streams.events).containsExactly("1:a", "-1");
        assertThat(first.unneeded).isOne();
        assertThat(second.unneeded).isOne();
        assertThat(late.unneeded).isOne();
        assertThat(memory.usedBytes()).isZero();
    }
}
