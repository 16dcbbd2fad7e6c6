package winnow.broker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerSharesTest {
    private static final long MIB = 1 << 20;
    private static final long KIB = 1 << 10;

    private final BrokerHeap heap = new BrokerHeap(64 * MIB);
    private final OwnerShares shares = new OwnerShares(heap.part("shared", 16 * MIB));

    @Test
    void shouldLeaveNewOwnersRoomWhateverOthersHaveOfTheHeap() {
        // given one that has what it may have, and another budget that takes the rest of the heap
        while (shares.take("greedy", 1000)) {}
        HeapPart other = heap.part("other", 64 * MIB);
        other.follow(64 * MIB);
        assertThat(shares.take("greedy", 1000)).isFalse();

        // when
        int let = 0;
        for (int i = 0; i < 10; i++) {
            let += shares.take("owner " + i, 60_000) ? 1 : 0;
        }

        // then
        assertThat(let).isEqualTo(10);
        assertThat(shares.take("owner 0", MIB)).isFalse();
    }

    @Test
    void shouldTakeNothingForLargeOwnersThatIsMeantForNewOnes() {
        // given
        HeapPart other = heap.part("other", 64 * MIB);
        other.follow(other.availableBytes() - 2 * MIB);
        assertThat(heap.leftBytes()).isBetween(2 * MIB - 64 * KIB, 2 * MIB + 64 * KIB);

        // when
        for (int i = 0; i < 4; i++) {
            while (shares.take("greedy " + i, 1000)) {}
        }

        // then
        assertThat(heap.leftBytes()).isNotNegative();
        assertThat(shares.take("new", 60_000)).isTrue();
    }

    @Test
    void shouldUseWhatIsForOneLargeThing() {
        // given
        OwnerShares deliveries = new OwnerShares(heap.part("large", 16 * MIB, 8 * MIB));
        HeapPart other = heap.part("other", 64 * MIB);
        other.follow(64 * MIB);

        // when
        boolean small = deliveries.take("small", 1000);
        boolean large = deliveries.take("large", 8 * MIB);

        // then
        assertThat(small).isTrue();
        assertThat(large).isTrue();
        assertThat(deliveries.take("another", 2 * MIB)).isFalse();
    }

    @Test
    void shouldGiveOneAllButAnEighthWhereTheHeapHasEnough() {
        while (shares.take("greedy", 1000)) {}

        assertThat(shares.usedBytes()).isBetween(14 * MIB - 1000, 14 * MIB);
    }

    @Test
    void shouldGiveAllBackThatOwnersHad() {
        // given
        long before = heap.leftBytes();
        shares.add("greedy", 5 * MIB);
        shares.add("modest", 1000);

        // when
        shares.giveBack("greedy", 5 * MIB);
        shares.giveBack("modest", 1000);

        // then
        assertThat(shares.usedBytes()).isZero();
        assertThat(heap.leftBytes()).isEqualTo(before);
    }
}
