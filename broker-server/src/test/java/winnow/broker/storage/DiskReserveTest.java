package winnow.broker.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskReserveTest {
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;

    /// 100 MiB are kept of 1 GiB.
    private final DiskReserve reserve = new DiskReserve(100 * MIB);

    private static DiskSpace space(long usable, long log, long data) {
        return new DiskSpace(GIB, usable * MIB, log * MIB, data * MIB);
    }

    @ParameterizedTest
    @CsvSource({
        // MiB wanted, of the disk, kept
        "0,1048576,52428",
        "0,8192,409",
        "0,4096,256",
        "0,1024,256",
        "0,48,12",
        "7,1048576,7"
    })
    void shouldKeepWhatSuitsTheDisk(long wanted, long total, long kept) {
        assertThat(DiskReserve.reserveBytes(wanted * MIB, total * MIB) / MIB).isEqualTo(kept);
    }

    @Test
    void shouldRefuseUntilAQuarterMoreIsFree() {
        reserve.look(space(100, 0, 500), 500 * MIB);
        assertThat(reserve.low()).isFalse();
        reserve.look(space(99, 0, 500), 500 * MIB);
        assertThat(reserve.low()).isTrue();
        reserve.look(space(124, 0, 500), 500 * MIB);
        assertThat(reserve.low()).isTrue();
        reserve.look(space(125, 0, 500), 500 * MIB);
        assertThat(reserve.low()).isFalse();
    }

    @Test
    void shouldKeepHalfForTransactionsThatConsume() {
        reserve.look(space(50, 0, 500), 500 * MIB);
        assertThat(reserve.low()).isTrue();
        assertThat(reserve.critical()).isFalse();
        reserve.look(space(49, 0, 500), 500 * MIB);
        assertThat(reserve.critical()).isTrue();
        reserve.look(space(200, 0, 500), 500 * MIB);
        assertThat(reserve.critical()).isFalse();
    }

    @Test
    void shouldCountWhatTheLogWillTakeInDataFiles() {
        reserve.look(space(150, 51, 500), 500 * MIB);

        assertThat(reserve.low()).isTrue();
    }

    @Test
    void shouldNotMergeWhatWouldFillTheDisk() {
        reserve.look(space(400, 50, 300), 400 * MIB);
        assertThat(reserve.merging()).as("300 MiB spare").isFalse();
        reserve.look(space(420, 0, 600), 345 * MIB);
        assertThat(reserve.merging()).as("370 MiB spare").isTrue();
        reserve.look(space(420, 0, 600), 371 * MIB);
        assertThat(reserve.merging()).isFalse();
        reserve.look(space(420, 0, 600), 350 * MIB);
        assertThat(reserve.merging()).as("too soon").isFalse();
    }

    @Test
    void shouldGiveSpaceBackAsItIsConsumed() {
        DiskSpace full = space(90, 0, 900);
        reserve.look(full, 900 * MIB);
        assertThat(reserve.shrinks(full, 900 * MIB, 0)).as("nothing to give back").isFalse();
        assertThat(reserve.shrinks(full, 80 * MIB, 0)).as("no room for the rest").isFalse();
        assertThat(reserve.shrinks(full, 60 * MIB, 0)).isTrue();
        assertThat(reserve.shrinks(full, 50 * MIB, 0)).as("only just").isFalse();
        assertThat(reserve.shrinks(full, 40 * MIB, 0)).isTrue();
        assertThat(reserve.shrinks(full, 40 * MIB, 60_000_000_000L)).as("later").isTrue();
    }

    @Test
    void shouldEmptyTheLogBeforeItRefusesMessages() {
        assertThat(flushes(space(350, 151, 400), 0)).isTrue();
        assertThat(reserve.low()).isFalse();
        assertThat(flushes(space(350, 151, 400), 0)).as("at once again").isFalse();
        assertThat(flushes(space(350, 150, 400), 9_000_000_000L)).as("enough").isFalse();
        assertThat(flushes(space(120, 12, 400), 9_000_000_000L)).as("small log").isFalse();
        assertThat(flushes(space(30, 40, 400), 9_000_000_000L)).as("no room").isFalse();
        assertThat(flushes(space(90, 40, 400), 9_000_000_000L)).isTrue();
    }

    private boolean flushes(DiskSpace space, long nowNanos) {
        reserve.look(space, 500 * MIB);
        return reserve.flushes(space, nowNanos);
    }

    @Test
    void shouldGiveBackBeforeMessagesAreRefused() {
        DiskSpace space = space(150, 0, 850);
        reserve.look(space, 100 * MIB);
        assertThat(reserve.low()).isFalse();
        assertThat(reserve.shrinks(space, 100 * MIB, 0)).isTrue();
        assertThat(reserve.shrinks(space, 100 * MIB, 60_000_000_000L)).as("later").isFalse();
        assertThat(reserve.shrinks(space, 70 * MIB, 0)).isTrue();
    }

    @Test
    void shouldNotGiveBackWhereEnoughIsFree() {
        DiskSpace space = space(200, 0, 800);
        reserve.look(space, 0);

        assertThat(reserve.shrinks(space, 0, 0)).isFalse();
    }
}
