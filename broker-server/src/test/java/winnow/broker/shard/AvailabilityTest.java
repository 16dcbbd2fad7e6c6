package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AvailabilityTest {
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());

    private final Priorities priorities = new Priorities();
    private final Map<Long, Integer> known = new HashMap<>();
    private final Comparator<Long> order =
            Comparator.<Long>comparingInt(sequence -> -known.getOrDefault(sequence, 0))
                    .thenComparing(Comparator.naturalOrder());

    private void arrive(long sequence, int priority) {
        priorities.add(sequence, priority);
        known.put(sequence, priority);
    }

    @Test
    void shouldGiveTheHighestPriorityFirstWhateverComesBack() {
        // given
        Random random = new Random(SEED);
        Availability available = new Availability(priorities);
        TreeSet<Long> expected = new TreeSet<>(order);
        long next = 0;

        for (int i = 0; i < 20_000; i++) {
            // when
            int kinds = i / 2000 % 2 == 0 ? 10 : 1;
            if (random.nextInt(3) > 0) {
                arrive(next, random.nextInt(kinds));
                available.add(next, known.getOrDefault(next, 0));
                expected.add(next++);
            } else if (random.nextInt(3) == 0 && next > 0) {
                long back = random.nextLong(next);
                available.add(back, known.getOrDefault(back, 0));
                expected.add(back);
            } else if (!expected.isEmpty()) {
                long taken = random.nextBoolean() ? expected.first() : random.nextLong(next);
                int priority = expected.remove(taken) ? known.getOrDefault(taken, 0) : -1;
                assertThat(available.take(taken)).isEqualTo(priority);
            }

            // then
            assertThat(available.count()).isEqualTo(expected.size());
            assertThat(available.next())
                    .as("-Dwinnow.seed=" + SEED)
                    .isEqualTo(expected.isEmpty() ? -1 : expected.first());
            if (i % 100 == 0) {
                long[] upcoming = expected.stream().limit(30).mapToLong(Long::longValue).toArray();
                assertThat(available.upcoming(30)).containsExactly(upcoming);
            }
        }
    }

    @Test
    void shouldWalkThroughTwoListsInTheOrderOfDelivery() {
        Availability first = new Availability(priorities);
        Availability second = new Availability(priorities);
        List<Integer> given = List.of(4, 9, 4, 0, 9, 4);
        for (int i = 0; i < given.size(); i++) {
            arrive(i, given.get(i));
            (i % 2 == 0 ? first : second).add(i, given.get(i));
        }

        long[] walked = new Availability.Walk(5, first, second).next(10);

        assertThat(walked).containsExactly(1, 4, 0, 2, 3);
    }

    @Test
    void shouldGiveWhatHasEndedLast() {
        Availability available = new Availability(priorities);
        for (int i = 0; i < 3; i++) {
            arrive(i, 9 - i);
            available.add(i, 9 - i);
        }

        priorities.remove(0);

        assertThat(available.next()).isEqualTo(1);
        assertThat(available.take(1)).isEqualTo(8);
        assertThat(available.take(2)).isEqualTo(7);
        assertThat(available.next()).isZero();
        assertThat(available.remove(0)).isTrue();
        assertThat(available.next()).isEqualTo(-1);
    }
}
