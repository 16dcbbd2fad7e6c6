package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;
import winnow.broker.memory.OwnerShares;

class ConnectionShareTest {
    private static final int KIB = 1024;

    private final OwnerShares shares = new OwnerShares(HeapPart.alone(1024 * KIB));
    private final ConnectionShare ann = new ConnectionShare(shares, () -> "ann");
    private final ConnectionShare bob = new ConnectionShare(shares, () -> "bob");

    @Test
    void shouldChargeNothingForAFewKib() {
        // when
        assertThat(ann.take(ConnectionShare.UNCOUNTED_BYTES)).isTrue();

        // then
        assertThat(shares.usedBytes()).isZero();
        assertThat(ann.bytes()).isEqualTo(ConnectionShare.UNCOUNTED_BYTES);
    }

    @Test
    void shouldLeaveOthersAnEighth() {
        // given
        int taken = 0;
        while (ann.take(10 * KIB)) {
            taken += 10 * KIB;
        }

        // then
        assertThat(taken).isBetween(860 * KIB, 900 * KIB);
        assertThat(ann.bytes()).isEqualTo(taken);
        assertThat(ann.hasRoom(10 * KIB)).isFalse();
        assertThat(bob.take(100 * KIB)).isTrue();
        assertThat(bob.take(100 * KIB)).isFalse();

        // when
        assertThat(ann.giveBack(taken)).isTrue();

        // then
        assertThat(bob.take(100 * KIB)).isTrue();
        assertThat(shares.usedBytes()).isBetween(196L * KIB, 224L * KIB);
    }

    @Test
    void shouldAlwaysHaveRoomForTheFirst() {
        // when
        assertThat(ann.take(2000 * KIB)).isTrue();

        // then
        assertThat(bob.take(5 * KIB)).isFalse();
        assertThat(bob.take(4 * KIB)).isTrue();
    }

    @Test
    void shouldTakeRoomThatIsNotThereIfThatIsSaid() {
        // given
        ann.add(2000 * KIB);

        // when
        bob.add(5 * KIB);

        // then
        assertThat(shares.usedBytes()).isGreaterThan(2000 * KIB);
        ann.giveBack(2000 * KIB);
        bob.giveBack(5 * KIB);
        assertThat(shares.usedBytes()).isZero();
    }

    @Test
    void shouldChargeNothingWhenTheConnectionHasGone() {
        // given
        ann.take(100 * KIB);

        // when
        assertThat(ann.close()).isTrue();
        ann.add(100 * KIB);
        ann.giveBack(150 * KIB);

        // then
        assertThat(shares.usedBytes()).isZero();
        assertThat(ann.close()).isFalse();
    }

    @Test
    void shouldKeepNothingChargedThatIsGivenBackWhileNothingElseFindsRoom() {
        // given
        List<Runnable> meanwhile = new ArrayList<>();
        ConnectionShare cid =
                new ConnectionShare(
                        shares,
                        () -> {
                            List.copyOf(meanwhile).forEach(Runnable::run);
                            return "cid";
                        });
        bob.take(500 * KIB);
        cid.take(100 * KIB);
        meanwhile.add(() -> {
            meanwhile.clear();
            cid.giveBack(100 * KIB);
        });

        // when
        assertThat(cid.take(600 * KIB)).isFalse();

        // then
        assertThat(cid.bytes()).isZero();
        assertThat(shares.usedBytes("cid")).isZero();
    }

    @Test
    void shouldChargeAllThatThreadsHaveAtTheSameTime() throws InterruptedException {
        // given
        ann.add(20 * KIB);
        Thread other = Thread.ofPlatform().start(() -> takeAndGiveBack(100_000));

        // when
        takeAndGiveBack(100_000);
        other.join();

        // then
        assertThat(ann.bytes()).isEqualTo(20 * KIB);
        ann.take(100 * KIB);
        assertThat(shares.usedBytes()).isBetween(116L * KIB, 132L * KIB);
        ann.giveBack(120 * KIB);
        assertThat(shares.usedBytes()).isZero();
    }

    private void takeAndGiveBack(int times) {
        for (int i = 0; i < times; i++) {
            if (ann.take(30 * KIB)) {
                ann.giveBack(30 * KIB);
            }
        }
    }
}
