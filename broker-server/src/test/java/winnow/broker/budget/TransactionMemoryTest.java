package winnow.broker.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import winnow.broker.matching.RefusedException;
import winnow.broker.memory.HeapPart;

class TransactionMemoryTest {
    private final TransactionMemory memory = new TransactionMemory(HeapPart.alone(8000));

    @Test
    void shouldLeaveSomethingForOthersWhenOneHasItsShare() {
        // given
        memory.charge("ann", 0, 0, 7000, 10_000);

        // when
        assertThatThrownBy(() -> memory.charge("ann", 0, 0, 1, 10_000))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("which may have 7000 of the 8000 bytes");

        // then
        memory.charge("bob", 0, 0, 875, 10_000);
        assertThat(memory.usedBytes()).isEqualTo(7875);
    }

    @Test
    void shouldNameTheSettingWhenATransactionIsTooLarge() {
        assertThatThrownBy(() -> memory.charge("ann", 900, 0, 101, 1000))
                .hasMessageContaining("session.max-transaction-bytes is 1000");
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void shouldHaveRoomAgainWhenTransactionsEnd() {
        // given
        memory.charge("ann", 0, 0, 7000, 10_000);

        // when
        memory.giveBack("ann", 7000);

        // then
        assertThat(memory.usedBytes()).isZero();
        memory.charge("ann", 0, 0, 7000, 10_000);
    }

    @Test
    void shouldTakeMoreForATransactionThatGrowsWhereThereIsRoom() {
        // given
        long taken = memory.charge("ann", 0, 0, 1000, 10_000);

        // when
        taken += memory.charge("ann", 1000, taken - 1000, 500, 10_000);

        // then the next needs none
        assertThat(taken).isEqualTo(2500);
        assertThat(memory.charge("ann", 1500, taken - 1500, 1000, 10_000)).isZero();
        assertThat(memory.usedBytes()).isEqualTo(2500);

        // and where there is no room for more it gets what it needs
        assertThat(memory.charge("ann", 2500, 0, 4400, 10_000)).isEqualTo(4400);
    }
}
