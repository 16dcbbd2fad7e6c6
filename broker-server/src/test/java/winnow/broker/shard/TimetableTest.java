package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.memory.HeapPart;

class TimetableTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long DAY = TimeUnit.DAYS.toMillis(1);

    private final Timetable<String> times = new Timetable<>(HeapPart.alone(2000L * HeapCost.TIMER));

    private List<Long> dueAt(long millis) {
        List<Long> due = new ArrayList<>();
        times.due(millis, (owner, sequences) -> sequences.forEach(due::add));
        return due;
    }

    /// When the only entry is due.
    private long due() {
        long next = times.next();
        assertThat(dueAt(next - 1)).isEmpty();
        assertThat(dueAt(next)).containsExactly(1L);
        assertThat(times.next()).isEqualTo(Long.MAX_VALUE);
        return next;
    }

    @Test
    void shouldBeExact() {
        for (long distance : new long[] {0, 1, 17, 100_000, 90 * DAY}) {
            times.add(NOW + distance, "queue", 1);

            assertThat(due()).isBetween(NOW + distance, NOW + distance + 15);
        }
    }

    @Test
    void shouldNotBeMuchLater() {
        for (long distance = 1; distance < 1000 * DAY; distance = distance * 3 + 1) {
            times.addLate(NOW + distance, NOW, "queue", 1);

            assertThat(due()).isBetween(NOW + distance, NOW + distance + 15 + distance / 10);
        }
    }

    @Test
    void shouldNotBeLateWhereItIsAddedAgain() {
        for (long distance = 1; distance < 1000 * DAY; distance = distance * 3 + 1) {
            long now = NOW;
            int looks = 0;
            while (now < NOW + distance) {
                times.addEarly(NOW + distance, now, "queue", "", 1);
                now = Math.max(now, due());
                looks++;
            }

            assertThat(now).isBetween(NOW + distance, NOW + distance + 15);
            assertThat(looks).isLessThanOrEqualTo(5);
        }
    }

    @Test
    void shouldRemoveWhatItHas() {
        Random random = new Random(1);
        List<Long> distances = random.longs(500, 0, 1000 * DAY).boxed().toList();
        for (int i = 0; i < distances.size(); i++) {
            times.addLate(NOW + distances.get(i), NOW, "queue", i);
        }
        for (int i = 0; i < distances.size(); i++) {
            times.remove(NOW + distances.get(i), "queue", i);
        }

        assertThat(times.next()).isEqualTo(Long.MAX_VALUE);
        assertThat(dueAt(NOW + 2000 * DAY)).isEmpty();
    }

    @Test
    void shouldKeepFewTicksForManyTimes() {
        for (int i = 0; i < 100_000; i++) {
            times.addLate(NOW + i * 17L, NOW, "queue", i);
        }
        int ticks = 0;
        int last = 0;
        for (long next = times.next(); next != Long.MAX_VALUE; next = times.next()) {
            last = dueAt(next).size();
            ticks++;
        }

        assertThat(ticks).isLessThan(5000);
        assertThat(last).isPositive();
    }

    @Test
    void shouldBecomeCoarserWhereThereAreTooMany() {
        for (int i = 0; i < 100_000; i++) {
            times.addLate(NOW + DAY + i * 1000L, NOW, "queue " + i % 100, i);
        }

        int ticks = 0;
        for (long next = times.next(); next != Long.MAX_VALUE; next = times.next()) {
            assertThat(dueAt(next)).isNotEmpty();
            ticks++;
        }
        assertThat(ticks).isLessThan(500);
    }

    @Test
    void shouldSayThatThereAreTooMany() {
        for (int i = 0; i < 1000; i++) {
            times.add(NOW + DAY + i * 100L, NOW + "queue", i);
        }
        assertThat(times.isFull(NOW + "queue", "", 1)).isTrue();
        assertThat(times.isFull("another", "other", 1)).isFalse();

        times.forget(NOW + "queue");
        for (int i = 0; i < 300; i++) {
            times.forget("another" + i);
        }

        assertThat(times.isFull(NOW + "queue", "", 1)).isFalse();
        assertThat(times.heapBytes()).isZero();
        assertThat(dueAt(NOW + 2 * DAY)).isEmpty();
    }

    @Test
    void shouldTakeNoMoreHeapThanItMayHoweverManyTimesThereAre() {
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            long distance = random.nextLong(1L << random.nextInt(1, 62));
            times.addLate(NOW + distance, NOW, "queue " + i % 7, 3L * i);
        }

        assertThat(times.heapBytes()).isLessThan(2100L * HeapCost.TIMER);
    }

    @Test
    void shouldBeExactForOneWhateverTheTimesOfAnother() {
        for (int i = 0; i < 100_000; i++) {
            times.addLate(NOW + DAY + i * 60_000L, NOW, "many", i);
        }
        times.forget("none");

        times.addLate(NOW + 1000, NOW, "few", 7);

        assertThat(times.next()).isBetween(NOW + 1000, NOW + 1016);
    }

    @Test
    void shouldForgetWhatItWasChargedWhenItIsDue() {
        for (int i = 0; i < 1000; i++) {
            times.addLate(NOW + i * 100L, NOW, "queue", 2L * (i % 500));
        }

        dueAt(NOW + 2 * DAY);

        assertThat(times.heapBytes()).isZero();
    }

    @Test
    void shouldChargeGapsThatRemovedMessagesLeave() {
        for (long sequence = 10; sequence < 15; sequence++) {
            times.add(NOW + 100, "queue", sequence);
        }
        assertThat(times.heapBytes()).isEqualTo(HeapCost.TIMER);

        times.remove(NOW + 100, "queue", 11);
        times.remove(NOW + 100, "queue", 13);

        assertThat(times.heapBytes()).isEqualTo(HeapCost.TIMER + HeapCost.BITMAP);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldGiveBackWhatItHasChargedHoweverItIsLetGo(int remaining) {
        // given
        for (long sequence = 10; sequence < 13; sequence++) {
            times.add(NOW + 100, "queue", sequence);
        }

        // when
        List<Long> order = List.of(11L, 10L, 12L);
        for (long sequence : order.subList(0, order.size() - remaining)) {
            times.remove(NOW + 100, "queue", sequence);
        }
        dueAt(NOW + 200);

        // then
        assertThat(times.heapBytes()).isZero();
    }

    @Test
    void shouldTakeAnyTime() {
        times.addLate(Long.MAX_VALUE, NOW, "queue", 1);

        assertThat(times.next()).isEqualTo(Long.MAX_VALUE);
        assertThat(dueAt(NOW + 1000 * DAY)).isEmpty();
    }

    @Test
    void shouldLeaveSomeToOtherUsers() {
        int queues = 0;
        for (int i = 0; i < 10_000; i++) {
            String queue = "queue " + i;
            if (!times.isFull(queue, "ann", 1)) {
                times.addEarly(NOW + i * DAY, NOW, queue, "ann", i);
                queues++;
            }
        }

        assertThat(queues).isBetween(1000, 1800);
        assertThat(times.isFull("another", "ann", 1)).isTrue();
        assertThat(times.isFull("another", "bob", 40)).isFalse();
        assertThat(dueAt(Long.MAX_VALUE)).hasSize(queues);
        assertThat(times.isFull("another", "ann", 400)).isFalse();
    }
}
