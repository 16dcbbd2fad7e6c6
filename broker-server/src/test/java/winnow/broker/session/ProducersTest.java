package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.destination.HeldProducer;
import winnow.broker.destination.Topic;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.WireException;
import winnow.wire.frame.ControlFrame;

/// The publishing side of a connection and its handles, on a loop that the test drives.
class ProducersTest {
    private static final int MUCH = 1 << 30;
    private static final int WINDOW = 512 * 1024;
    private static final int MAX_FRAME = 1 << 20;

    /// Of a frame before its block.
    private static final int HEAD_BYTES = 7;

    private final BacklogMemory memory = new BacklogMemory(8 << 20);
    private final FakeSessionLoop loop = new FakeSessionLoop(memory);
    private final FakeOutput output = new FakeOutput(loop);
    private final SessionContext context = loop.context(MAX_FRAME);
    private final DestinationRegistry topics = context.destinations();
    private final MetadataAccount account = new MetadataAccount(context.metadata(), topics);
    private final ReadingPauses pauses = new ReadingPauses(output);
    private final Producers producers =
            new Producers(
                    context,
                    output,
                    account,
                    (limit, since) -> new HeldProducer("1", "", "", "", limit, since),
                    pauses,
                    new SessionChannels(context, output, account, pauses, () -> {}, reason -> {}),
                    () -> {});
    private int subscriptions;

    @AfterEach
    void shouldHaveHadNoFault() {
        assertThat(loop.faultCount() + loop.other.faultCount()).isZero();
    }

    private void open(int handle, String topic) {
        producers.onOpen(new ControlFrame.Open(1, handle, DestinationKind.TOPIC, topic));
        producers.onOpened(handle);
    }

    private void publish(int handle, boolean confirm, int bodyBytes) {
        byte[] bytes = new byte[2 + bodyBytes];
        MessageBlock block = new MessageBlock();
        block.parseFields(bytes, 0, bytes.length);
        producers.publish(handle, confirm, 0, 0, block, HEAD_BYTES + bytes.length);
    }

    private void publish(int handle, int bodyBytes) {
        publish(handle, false, bodyBytes);
    }

    private void endRead(boolean producesOnly) {
        loop.router().deliver();
        producers.onDelivered(producesOnly);
    }

    private void endIteration() {
        loop.router().endBatch();
        producers.onBatchEnd();
    }

    private Subscription subscribe(String topicName, Loop on, long budgetBytes) {
        Topic topic = topics.acquireTopic(topicName);
        Subscription subscription =
                new Subscription(
                        ++subscriptions, new RecordingTarget(on), false, topic, budgetBytes);
        topic.add(subscription, SubscriptionFilter.NONE, null, () -> {}, Assertions::fail);
        loop.runAllCommands();
        return subscription;
    }

    /// Makes what waits take all memory, so that the topic is blocked.
    private Subscription exhaust(String topicName) {
        Subscription subscription = subscribe(topicName, loop, MUCH);
        byte[] block = new byte[8 << 20];
        subscription.onMessage(loop.numberMessages(1), block, 0, block.length, 0);
        assertThat(memory.exhausted()).isTrue();
        return subscription;
    }

    @Test
    void shouldGrantTheWindowAndGiveCreditBackInQuarters() {
        // given
        open(1, "t");
        assertThat(output.granted).isEqualTo(WINDOW);

        // when
        publish(1, WINDOW / 8);
        endIteration();
        assertThat(output.granted).isEqualTo(WINDOW);
        publish(1, WINDOW / 8);
        endIteration();

        // then
        assertThat(output.granted).isBetween(WINDOW + WINDOW / 4L, WINDOW + WINDOW / 4L + 20);
    }

    @Test
    void shouldRefuseToBeSentMoreThanItGranted() {
        open(1, "t");
        publish(1, WINDOW);
        publish(1, MAX_FRAME - 100);

        assertThatThrownBy(() -> publish(1, 100))
                .isInstanceOf(WireException.class)
                .hasMessage("Publish: no credit left on handle 1");
    }

    @Test
    void shouldHoldCreditBackWhileTheTopicIsBlocked() {
        // given
        Subscription subscription = subscribe("t", loop, 1024);
        open(1, "t");

        // when
        publish(1, WINDOW / 2);
        endRead(true);
        endIteration();

        // then
        assertThat(output.granted).isEqualTo(WINDOW);
        assertThat(output.frames)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlFrame.Blocked.class,
                        blocked -> assertThat(blocked.reason()).contains("topic 't'"));
        assertThat(output.reading).as("there is memory").isTrue();

        // and it comes when the consumer takes what waits
        subscription.onCredit(1, MUCH);
        loop.runCommands();
        assertThat(output.granted).isGreaterThan(WINDOW + WINDOW / 2);
    }

    @Test
    void shouldForgetAHandleThatIsReleasedWhileItIsHeldBack() {
        // given
        Subscription subscription = subscribe("t", loop, 1024);
        open(1, "t");
        publish(1, WINDOW / 2);
        endRead(true);
        endIteration();

        // when
        producers.onRelease(1);
        subscription.onCredit(1, MUCH);
        loop.runCommands();

        // then
        assertThat(output.granted).isEqualTo(WINDOW);
        assertThat(memory.credit().windowBytes()).isZero();
    }

    @Test
    void shouldHoldCreditBackWhileAnotherLoopLags() {
        // given
        Subscription far = subscribe("t", loop.other, MUCH);
        far.onCredit(MUCH, MUCH);
        open(1, "t");
        open(2, "u");

        // when
        for (int i = 0; i < 5; i++) {
            publish(1, MAX_FRAME - 100);
            assertThat(loop.router().congested()).isEqualTo(i >= 4);
            endIteration();
            if (i < 4) {
                assertThat(output.granted).isGreaterThan(2 * WINDOW + i * (MAX_FRAME - 100L));
            }
        }
        long granted = output.granted;
        publish(2, WINDOW);
        endIteration();
        assertThat(output.granted).isEqualTo(granted);

        // then
        loop.other.runCommands();
        loop.runCommands();
        loop.runCommands();
        assertThat(output.granted).isGreaterThan(granted + MAX_FRAME);
    }

    @Test
    void shouldNotReadAProducerThatEndsEachReadOnAnotherTopic() {
        // given
        open(1, "t");
        open(2, "free");
        Subscription subscription = exhaust("t");

        // when
        publish(1, 100);
        publish(2, 100);
        endRead(true);

        // then
        assertThat(output.reading).isFalse();

        // and it is read when the topic is free
        subscription.onCredit(MUCH, MUCH);
        loop.runCommands();
        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldLookAtEachReadOfAnIteration() {
        // given
        open(1, "t");
        publish(1, 100);
        endRead(true);
        assertThat(output.reading).isTrue();

        // when the same iteration brings another message to the same topic
        exhaust("t");
        publish(1, 100);
        endRead(true);

        // then
        assertThat(output.reading).isFalse();
    }

    @Test
    void shouldReadAClientThatConsumesToo() {
        open(1, "t");
        exhaust("t");

        publish(1, 100);
        endRead(false);

        assertThat(output.reading).isTrue();
    }

    @Test
    void shouldNotAcceptALargeMessageToABlockedTopic() {
        // given
        open(1, "t");
        open(2, "free");
        assertThat(producers.accepts(1)).isTrue();
        Subscription subscription = exhaust("t");

        // when, then
        assertThat(producers.accepts(2)).isTrue();
        assertThat(output.reading).isTrue();
        assertThat(producers.accepts(1)).isFalse();
        assertThat(output.reading).isFalse();

        // and then
        subscription.close();
        loop.runCommands();
        assertThat(output.reading).isTrue();
        assertThat(producers.accepts(1)).isTrue();
    }

    @Test
    void shouldRefuseWhatIsBeyondTheCreditWhenMuchMoreThanTheLimitIsHeld() {
        // given
        open(1, "t");
        open(2, "free");
        exhaust("t");
        publish(1, WINDOW - 100);
        publish(2, WINDOW - 100);
        long taken = refusals();

        // when
        publish(1, MAX_FRAME / 2);
        endRead(false);
        assertThat(refusals()).as("up to half more").isEqualTo(taken);
        exhaust("t");
        long before = memory.usedBytes();
        publish(1, true, 200);
        publish(2, true, 200);
        endRead(false);

        // then
        assertThat(memory.usedBytes()).isEqualTo(before);
        assertThat(output.frames)
                .last()
                .isInstanceOfSatisfying(
                        ControlFrame.PublishRefused.class,
                        refused -> {
                            assertThat(refused.sequence()).isEqualTo(1);
                            assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
                            assertThat(refused.message())
                                    .startsWith("a message of 202 bytes, beyond the credit")
                                    .contains("subscription.total-buffer", "topic 't'");
                        });
    }

    @Test
    void shouldMakeWindowsSmallerWhereManyShareTheMemory() {
        // when 200 handles want 512 KiB each of 4 MiB
        for (int handle = 1; handle <= 200; handle++) {
            open(handle, "t");
        }

        // then
        assertThat(output.granted).isLessThan((4 << 20) + 200 * 4 * 1024);
        assertThat(memory.credit().windowBytes()).isEqualTo(output.granted);

        // and one gets more when the others have gone
        for (int handle = 1; handle < 200; handle++) {
            producers.onRelease(handle);
        }
        long granted = output.granted;
        publish(200, 2000);
        endIteration();
        assertThat(output.granted - granted).isBetween((long) WINDOW - 4096, WINDOW + 2100L);
        assertThat(memory.credit().windowBytes()).isEqualTo(WINDOW);
        producers.close();
        loop.runAllCommands();
        assertThat(memory.credit().windowBytes()).isZero();
    }

    @Test
    void shouldLetAFrameInWhoseRoomOthersWaitFor() {
        // given a producer that is not read because its topic is blocked
        open(1, "t");
        exhaust("t");
        publish(1, 100);
        endRead(true);
        assertThat(output.reading).isFalse();

        // when
        output.keepsWantedRoom = true;
        producers.letFrameIn();

        // then
        assertThat(output.reading).isTrue();
        assertThat(producers.accepts(1)).isTrue();
        output.keepsWantedRoom = false;
        assertThat(producers.accepts(1)).isFalse();
    }

    @Test
    void shouldDoNothingWhenATopicIsFreeAfterTheConnectionHasGone() {
        open(1, "t");
        Subscription subscription = exhaust("t");
        publish(1, 100);
        endRead(true);
        subscription.onCredit(MUCH, MUCH);

        producers.close();
        loop.runCommands();

        assertThat(output.granted).isEqualTo(WINDOW);
        assertThat(output.reading).isFalse();
    }

    private long refusals() {
        return context.counters().refusals.total();
    }
}
