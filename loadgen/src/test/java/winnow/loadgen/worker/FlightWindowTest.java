package winnow.loadgen.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FlightWindowTest {

    @TempDir private Path directory;

    @Test
    void shouldShareWhatIsFreeAmongPublishersAndCopies() throws IOException {
        // given: 100 copies, 2 publishers, 5 copies of each message
        var counters = SharedCounters.map(directory.resolve("counters"), 2, 5);
        var window = FlightWindow.bounded(counters, 0, 2, 5, 5, 100);

        // when
        var first = window.reserve(0);
        var second = window.reserve(first);

        // then: 100 / 10, then (100 - 50) / 10
        assertThat(first).isEqualTo(10);
        assertThat(second).isEqualTo(5);
    }

    @Test
    void shouldGiveNothingUntilCopiesHaveArrived() throws IOException {
        // given: another publisher has reserved everything
        var counters = SharedCounters.map(directory.resolve("counters"), 2, 1);
        counters.reserved(1, 100);
        var window = FlightWindow.bounded(counters, 0, 2, 1, 1, 100);

        // when
        var before = window.reserve(0);
        counters.delivered(0, 40);
        var after = window.reserve(0);

        // then
        assertThat(before).isZero();
        assertThat(after).isEqualTo(20);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNotMapCountersThatTheDiskHasNoRoomFor() {
        assertThatIOException()
                .isThrownBy(() -> SharedCounters.map(Path.of("/dev/full"), 1, 1))
                .withMessageContaining("384 bytes to /dev/full")
                .withStackTraceContaining("No space left on device");
    }

    @Test
    void shouldKeepTheCountersOfAllApart() throws IOException {
        // given
        var file = directory.resolve("counters");
        var writer = SharedCounters.map(file, 2, 3);
        var reader = SharedCounters.map(file, 2, 3);

        // when
        writer.sent(0, 1);
        writer.sent(1, 10);
        writer.reserved(0, 100);
        writer.reserved(1, 1_000);
        writer.delivered(0, 10_000);
        writer.delivered(2, 100_000);

        // then
        assertThat(reader.sent()).isEqualTo(11);
        assertThat(reader.reserved()).isEqualTo(1_100);
        assertThat(reader.delivered()).isEqualTo(110_000);
        assertThat(reader.delivered(1)).isZero();
        assertThat(reader.delivered(2)).isEqualTo(100_000);
    }
}
