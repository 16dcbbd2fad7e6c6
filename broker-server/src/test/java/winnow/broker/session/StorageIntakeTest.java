package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.broker.budget.IntakeMemory;
import winnow.broker.memory.HeapPart;
import winnow.broker.subscription.BacklogMemory;

/// Connections are read, or not, while messages on their way to the storage take too much memory or
/// time.
class StorageIntakeTest {
    private static final int LIMIT = 100_000;
    private static final int MESSAGE = 300;
    private static final long MILLISECOND = 1_000_000;

    private final IntakeMemory memory = new IntakeMemory(HeapPart.alone(LIMIT));
    private final FakeSessionLoop loop = new FakeSessionLoop(new BacklogMemory(8 << 20));
    private final FakeOutput busy = new FakeOutput(loop);
    private final FakeOutput quiet = new FakeOutput(loop);
    private final StorageIntake many = new StorageIntake(memory, new ReadingPauses(busy));
    private final StorageIntake few = new StorageIntake(memory, new ReadingPauses(quiet));

    /// @return how many messages it took before it was not read any more
    private int fill() {
        int messages = 0;
        while (busy.reading && messages < LIMIT) {
            many.add(MESSAGE, 0);
            messages++;
        }
        return messages;
    }

    @Test
    void shouldNotReadWhoHasManyMessagesWhileAllTakeTooMuch() {
        // when
        int messages = fill();

        // then
        assertThat(messages).isEqualTo(LIMIT / MESSAGE + 1);
        assertThat(many.isPaused()).isTrue();
    }

    @Test
    void shouldReadWhoHasFewMessagesWhateverOthersHave() {
        // given
        fill();

        // when
        for (int i = 0; i < 50; i++) {
            few.add(MESSAGE, 0);
        }

        // then
        assertThat(quiet.reading).isTrue();
    }

    @Test
    void shouldReadAgainWhenTheStorageHasAnswered() {
        // given
        int messages = fill();

        // when
        for (int i = 0; i < messages; i++) {
            many.remove(MESSAGE, 0);
        }

        // then
        assertThat(busy.reading).isTrue();
        assertThat(many.isPaused()).isFalse();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldGiveEverythingBackOnceWhenTheConnectionEnds() {
        // given
        fill();

        // when
        many.close();
        many.remove(MESSAGE, 0);

        // then
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldLetWhatWasReadGoOnWhenNothingMoreComes() {
        // given
        fill();

        // when
        many.end();
        many.add(MESSAGE, 0);

        // then
        assertThat(busy.reading).isTrue();
    }

    @Test
    void shouldNotReadWhoKeepsTheStorageBusyForLong() {
        // when
        int messages = 0;
        while (busy.reading && messages < LIMIT) {
            many.add(MESSAGE, MILLISECOND / 5);
            messages++;
        }

        // then
        assertThat(messages).isEqualTo(251);
        assertThat(many.isPaused()).isTrue();

        // and when half of it is done
        for (int i = 0; i < messages / 2; i++) {
            assertThat(busy.reading).isFalse();
            many.remove(MESSAGE, MILLISECOND / 5);
        }
        many.remove(MESSAGE, MILLISECOND / 5);
        assertThat(busy.reading).isTrue();
        assertThat(many.isPaused()).isFalse();
    }
}
