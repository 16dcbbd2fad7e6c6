package winnow.broker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BrokerHeapTest {
    private static final long MIB = 1 << 20;
    private static final long TOTAL = 40 * MIB;

    private final BrokerHeap heap = new BrokerHeap(TOTAL);

    @Test
    void shouldLetNoBudgetsTakeMoreThanThereIsTogether() {
        // given budgets whose limits are twice as much
        List<HeapPart> parts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            parts.add(heap.part("part " + i, 8 * MIB));
        }

        // when each takes what it may have, in small steps
        long sum = 0;
        for (HeapPart part : parts) {
            long used = 0;
            while (used + 1000 <= part.availableBytes()) {
                used += 1000;
                part.follow(used);
            }
            assertThat(used).isBetween(8 * MIB / 16 - 1000, 8 * MIB);
            sum += used;
        }

        // then
        assertThat(sum).isBetween(TOTAL * 9 / 10, TOTAL + 10 * 64 * 1024);
    }

    @Test
    void shouldLeaveEachBudgetALittle() {
        // given
        HeapPart greedy = heap.part("greedy", TOTAL);
        HeapPart other = heap.part("other", 8 * MIB);

        // when
        greedy.follow(TOTAL);

        // then
        assertThat(other.availableBytes()).isEqualTo(8 * MIB / 16);
        assertThat(other.shortage()).contains(Long.toString(8 * MIB / 16));
    }

    @Test
    void shouldGiveBackWhatABudgetDoesNotUse() {
        // given
        HeapPart first = heap.part("first", 8 * MIB);
        long before = heap.leftBytes();

        // when
        first.follow(8 * MIB);
        long taken = before - heap.leftBytes();
        first.follow(0);

        // then
        assertThat(taken).isEqualTo(8 * MIB - 8 * MIB / 16);
        assertThat(heap.leftBytes()).isEqualTo(before);
        assertThat(first.shortage()).isEmpty();
    }

    @Test
    void shouldGiveASuccessorThePartOfABudgetThatHasGone() {
        // given
        HeapPart old = heap.part("messages", 8 * MIB);
        old.follow(8 * MIB);

        // when
        HeapPart successor = heap.part("messages", 8 * MIB);
        successor.follow(0);

        // then
        assertThat(heap.leftBytes()).isEqualTo(TOTAL - 8 * MIB / 16);
        assertThat(heap.parts()).containsExactly(successor);
    }

    @Test
    void shouldTellWhoTakesFirstAndAsksAfterwardsThatNothingIsLeft() {
        // given
        HeapPart first = heap.part("first", TOTAL);
        HeapPart other = heap.part("other", TOTAL);
        first.follow(TOTAL * 3 / 4);

        // when
        long used = 0;
        while (used <= other.availableBytes()) {
            used += 1000;
            other.follow(used);
        }

        // then
        assertThat(used).isLessThan(TOTAL / 4 + 128 * 1024);
        assertThat(first.availableBytes()).isLessThanOrEqualTo(TOTAL * 3 / 4 + 64 * 1024);
    }

    @Test
    void shouldKeepALimitAboveTheHeapFromTakingMoreOfIt() {
        // when
        HeapPart generous = heap.part("generous", 100 * TOTAL);

        // then
        assertThat(generous.roomBytes()).isEqualTo(TOTAL / 16);
    }

    @Test
    void shouldCountWhatIsReserved() {
        assertThat(heap.reserve(MIB)).isEqualTo(MIB);
        assertThat(heap.leftBytes()).isEqualTo(TOTAL - MIB);
    }

    @Test
    void shouldFollowACounterThatManyThreadsChange() throws InterruptedException {
        // given
        HeapPart part = heap.part("shared", 8 * MIB);
        long before = heap.leftBytes();
        AtomicLong used = new AtomicLong();

        // when
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> change(part, used)));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        // then
        assertThat(used.get()).isZero();
        assertThat(heap.leftBytes()).isEqualTo(before);
    }

    private static void change(HeapPart part, AtomicLong used) {
        for (int i = 0; i < 2000; i++) {
            used.addAndGet(MIB);
            part.follow(used::get);
            used.addAndGet(-MIB);
            part.follow(used::get);
        }
    }
}
