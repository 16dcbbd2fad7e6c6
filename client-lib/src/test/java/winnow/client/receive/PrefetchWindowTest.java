package winnow.client.receive;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import jakarta.jms.JMSException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.client.TestMessages;
import winnow.client.destination.WinnowTopic;
import winnow.client.message.AllowedClasses;
import winnow.client.message.MessageOrigin;
import winnow.client.message.NameTable;
import winnow.client.message.SpillSpace;
import winnow.client.message.WinnowBytesMessage;
import winnow.client.message.WinnowMapMessage;
import winnow.client.message.WinnowMessage;
import winnow.client.message.WinnowObjectMessage;
import winnow.client.message.WinnowStreamMessage;
import winnow.client.message.WinnowTextMessage;

class PrefetchWindowTest {
    private static final int MEASURED = 10_000;
    private static final int FRAME_BYTES = 7;

    @ParameterizedTest
    @CsvSource({
        "32000,8388608",
        "32000,1048576",
        "8,1048576",
        "1000000,1",
        "1,224",
        "5,2147483647"
    })
    void shouldFitIntoTheHeap(int maxMessages, int heapBytes) {
        // when
        PrefetchWindow window = new PrefetchWindow(maxMessages, heapBytes, null);

        // then
        assertThat(window.messages()).isBetween(1, maxMessages);
        assertThat(window.bytes()).isPositive();
        long least = PrefetchWindow.MESSAGE_HEAP_BYTES + 1;
        assertThat((long) window.messages() * PrefetchWindow.MESSAGE_HEAP_BYTES + window.bytes())
                .isLessThanOrEqualTo(Math.max(least, heapBytes));
    }

    @Test
    void shouldGiveAllMessagesOfTheDefaultTheirRoom() {
        // when
        PrefetchWindow window = new PrefetchWindow(32_000, 8 * 1024 * 1024, null);

        // then
        assertThat(window.messages()).isEqualTo(32_000);
        assertThat(window.bytes()).isGreaterThan(1024 * 1024);
    }

    @Test
    void shouldGrantByTheQuarterWindow() {
        // given
        PrefetchWindow window = new PrefetchWindow(8, 100_000, null);

        // when
        window.onConsumed(10);
        boolean afterOne = window.isGrantDue();
        window.onConsumed(10);

        // then
        assertThat(afterOne).isFalse();
        assertThat(window.isGrantDue()).isTrue();
        assertThat(window.consumedMessages()).isEqualTo(2);
        assertThat(window.consumedBytes()).isEqualTo(20);
    }

    @Test
    void shouldGrantWhatIsLeftOfAWindowThatIsHeld() {
        // given
        PrefetchWindow window = new PrefetchWindow(8, 100_000, null);
        window.onConsumed(10);

        // when
        for (int i = 0; i < 7; i++) {
            assertThat(window.isGrantDue()).isFalse();
            window.hold(10);
        }

        // then
        assertThat(window.isGrantDue()).isTrue();
        assertThat(window.isHeldFirst()).isFalse();
        window.onGranted();
        window.hold(10);
        assertThat(window.isHeldFirst()).isTrue();
        assertThat(window.isHeldFirst()).isFalse();
    }

    static List<WinnowMessage> messages() throws JMSException {
        WinnowTextMessage text = new WinnowTextMessage();
        text.setText("");
        return List.of(
                new WinnowMessage(),
                text,
                new WinnowBytesMessage(),
                new WinnowMapMessage(),
                new WinnowStreamMessage(),
                new WinnowObjectMessage());
    }

    /// All that a read allocates for a message on the way through an inbox, and what stays of the
    /// queues, is charged.
    @ParameterizedTest
    @MethodSource("messages")
    void shouldChargeWhatAMessageTakes(WinnowMessage message) throws Exception {
        // given
        byte[] block = TestMessages.block(message);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Consumer<ConsumerBuffer> delivery =
                inbox -> {
                    byte[] copy = Arrays.copyOf(block, block.length);
                    inbox.onDelivery(copy, 1, block.length + FRAME_BYTES);
                };
        ConsumerBuffer measured = inbox();
        delivery.accept(inbox());
        long before = threads.getCurrentThreadAllocatedBytes();

        // when
        for (int i = 0; i < MEASURED; i++) {
            delivery.accept(measured);
        }
        measured.onBatchEnd();

        // then
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(taken / MEASURED)
                .isLessThanOrEqualTo(PrefetchWindow.MESSAGE_HEAP_BYTES + block.length + FRAME_BYTES)
                .isGreaterThan(PrefetchWindow.MESSAGE_HEAP_BYTES / 2);
    }

    @Test
    void shouldNotGrantTwiceWhatWentBack() {
        // given a window whose first two messages were granted again, and went back
        PrefetchWindow window = new PrefetchWindow(4, 1_000_000, null);
        for (int i = 0; i < 2; i++) {
            window.onConsumed(10);
            window.onGranted();
        }
        window.onGivenBack(10);
        window.onGivenBack(10);

        // when they come once more, and one after them
        window.onConsumed(10);
        window.onConsumed(10);
        boolean due = window.isGrantDue();
        window.onConsumed(10);

        // then
        assertThat(due).isFalse();
        assertThat(window.isGrantDue()).isTrue();
        assertThat(window.consumedMessages()).isEqualTo(1);
        assertThat(window.consumedBytes()).isEqualTo(10);
    }

    /// Handles messages that take so long, each as soon as there is one, and grants what is due.
    ///
    /// @return what the broker has credit for, in the end
    private static int handle(PrefetchWindow window, AtomicLong clock, int count, long nanosEach) {
        int atBroker = window.messages();
        for (int i = 0; i < count; i++) {
            window.onTaken();
            clock.addAndGet(nanosEach);
            window.onConsumed(10);
            window.follow();
            if (window.isGrantDue()) {
                atBroker += window.consumedMessages();
                window.onGranted();
            }
            atBroker--;
            assertThat(atBroker).isNotNegative();
        }
        return atBroker;
    }

    @ParameterizedTest
    @CsvSource({
        // ms for a message, messages that it needs for 50 ms
        "10000,1",
        "50,1",
        "49,2",
        "20,3",
        "10,5",
        "1,50"
    })
    void shouldHoldWhatAConsumerNeedsToStayBusy(int millisEach, int expected) {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));
        assertThat(window.messages()).isEqualTo(PrefetchWindow.FIRST_MESSAGES);

        // when
        int held = handle(window, clock, 200, MILLISECONDS.toNanos(millisEach));

        // then
        assertThat(window.messages()).isEqualTo(expected);
        assertThat(held).isBetween(0, expected);
    }

    @Test
    void shouldGiveAQuickConsumerAllOfItsWindowSoon() {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));

        // when
        int credit = handle(window, clock, 600, 1000);

        // then
        assertThat(window.messages()).isEqualTo(1000);
        assertThat(credit).isGreaterThanOrEqualTo(750);
    }

    @Test
    void shouldKeepMoreWhereTheBrokerIsFar() {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));

        // when
        window.onRoundTrip(MILLISECONDS.toNanos(150));
        handle(window, clock, 100, MILLISECONDS.toNanos(20));

        // then
        assertThat(window.messages()).isEqualTo(10);
    }

    @Test
    void shouldGrantWhatHasPassedThoughItBecomesSmaller() {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));
        handle(window, clock, 600, 1000);
        window.onGranted();
        handle(window, clock, 260, MILLISECONDS.toNanos(20));
        assertThat(window.messages()).isLessThan(1000);
        assertThat(window.consumedMessages()).isZero();

        // when
        for (int i = 0; i < 8; i++) {
            window.onPassed(FRAME_BYTES);
        }

        // then
        assertThat(window.consumedMessages()).isEqualTo(8);
        window.onGranted();
        assertThat(window.consumedMessages()).isZero();
    }

    @Test
    void shouldNotLoseItsWindowByAPause() {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));
        handle(window, clock, 600, 1000);

        // when
        handle(window, clock, 1, MILLISECONDS.toNanos(20_000));
        int least = window.messages();
        for (int i = 0; i < 600; i++) {
            handle(window, clock, 1, 1000);
            least = Math.min(least, window.messages());
        }

        // then
        assertThat(least).isEqualTo(500);
        assertThat(window.messages()).isEqualTo(1000);
    }

    @Test
    void shouldNotCountTheWaitForMessages() {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));

        // when
        for (int i = 0; i < 600; i++) {
            handle(window, clock, 1, 1000);
            window.onDrained();
            clock.addAndGet(MILLISECONDS.toNanos(1000));
        }

        // then
        assertThat(window.messages()).isEqualTo(1000);
    }

    /// A consumer that was quick and is at one message for long does not get its window again when
    /// another one has waited for what it had.
    @Test
    void shouldComeBackWithWhatItNeedsNow() {
        // given
        AtomicLong clock = new AtomicLong(7);
        PrefetchWindow window =
                new PrefetchWindow(1000, 1_000_000, new ConsumptionPace(clock::get));
        handle(window, clock, 600, 1000);

        // when
        window.onTaken();
        clock.addAndGet(MILLISECONDS.toNanos(60_000));
        window.forgetConsumed();
        window.reopen(1, 10);

        // then
        assertThat(window.messages()).isEqualTo(1);
        assertThat(window.consumedMessages()).isZero();
    }

    private static ConsumerBuffer inbox() throws JMSException {
        MessageOrigin origin =
                new MessageOrigin(
                        WinnowTopic.parse("t"), new NameTable(), () -> {}, AllowedClasses.NONE);
        PrefetchWindow window = new PrefetchWindow(1_000_000, Integer.MAX_VALUE, null);
        window.open();
        ConsumerBuffer.Room room = new ConsumerBuffer.Room(window, 1 << 20);
        return new ConsumerBuffer(origin, SpillSpace.UNLIMITED, room, new InboxOwner() {});
    }
}
