package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.PublishedNumbers.Answer;
import winnow.store.LogException;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;

class PublishedNumbersTest {
    private final PublishedNumbers numbers = PublishedNumbers.none();

    private static PublishedNumbers copyOverRow(PublishedNumbers numbers) {
        WireWriter row = new WireWriter(8);
        numbers.write(row);
        return PublishedNumbers.read(new WireReader().wrap(row.array(), 0, row.size()));
    }

    @Test
    void shouldKnowWhatWasTakenInAnyOrder() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            PublishedNumbers set = PublishedNumbers.none();
            Set<Long> taken = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                long first = random.nextLong(1, 300);
                long last = first + random.nextInt(5);
                set.add(first, last);
                for (long number = first; number <= last; number++) {
                    taken.add(number);
                }
            }

            PublishedNumbers read = copyOverRow(set);
            for (long number = 1; number <= 310; number++) {
                Answer expected = taken.contains(number) ? Answer.TAKEN : Answer.NOT_TAKEN;
                assertThat(set.answer(number)).isEqualTo(expected);
                assertThat(read.answer(number)).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldForgetTheLowestOfTooManyRanges() {
        // when
        int ranges = PublishedNumbers.MAX_RANGES + 1;
        for (long i = 0; i < ranges; i++) {
            numbers.add(10 * i + 1, 10 * i + 3);
        }

        // then
        assertThat(numbers.answer(1)).isEqualTo(Answer.FORGOTTEN);
        assertThat(numbers.answer(3)).isEqualTo(Answer.FORGOTTEN);
        assertThat(numbers.answer(4)).isEqualTo(Answer.NOT_TAKEN);
        assertThat(numbers.answer(11)).isEqualTo(Answer.TAKEN);
        assertThat(copyOverRow(numbers).answer(3)).isEqualTo(Answer.FORGOTTEN);
        assertThat(numbers.heapBytes()).isLessThan(5000);
    }

    @Test
    void shouldTakeTheLargestNumbers() {
        numbers.add(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
        numbers.add(1, 1);

        assertThat(copyOverRow(numbers).answer(Long.MAX_VALUE - 1)).isEqualTo(Answer.TAKEN);
        assertThat(copyOverRow(numbers).answer(2)).isEqualTo(Answer.NOT_TAKEN);
    }

    @Test
    void shouldRefuseRowsThatAreNone() {
        WireWriter row = new WireWriter(8);
        row.writeVarlong(0);
        row.writeVarint(2);
        for (long number : new long[] {5, 1, 1, 1}) {
            row.writeVarlong(number);
        }
        WireReader touching = new WireReader().wrap(row.array(), 0, row.size());
        WireReader cut = new WireReader().wrap(row.array(), 0, row.size() - 1);

        assertThatThrownBy(() -> PublishedNumbers.read(touching)).isInstanceOf(LogException.class);
        assertThatThrownBy(() -> PublishedNumbers.read(cut)).isInstanceOf(LogException.class);
    }
}
