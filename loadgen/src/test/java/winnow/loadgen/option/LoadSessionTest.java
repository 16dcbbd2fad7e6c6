package winnow.loadgen.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;

class LoadSessionTest {

    @TempDir private Path directory;

    @Test
    void shouldKeepTheBrokerBusyWithNewWorkersAfterAFailure() throws Exception {
        // given: the worker halts where a message has two copies
        var provider = new Provider(FakeConnectionFactory.class.getName(), "fake:halt", "", "");
        var workers =
                Workers.local(
                        provider, null, Workers.Layout.TOGETHER, List.of("-Xmx128m"), directory);
        var broker =
                new BrokerProbe(
                        CpuClock.unavailable(),
                        ThreadProbe.unavailable(),
                        TopicMatching.unknown(),
                        false);
        var settings = LoadSettings.defaults(Extent.QUICK, LoadSettings.NO_BOUND);
        var setup = new LoadSession.Setup(provider, workers, broker, settings, "", "test", null);
        var errors = new PrintStream(OutputStream.nullOutputStream());
        try (var session = LoadSession.start(setup, directory, errors)) {
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(() -> session.keepBusy(point(2), Duration.ofSeconds(30), "test"))
                    .withMessageContaining("worker ended");

            // when
            var problems = session.keepBusy(point(1), Duration.ofMillis(100), "test");

            // then
            assertThat(problems).isEmpty();
        }
    }

    private static Point point(int matching) {
        return Point.of(FilterKind.NONE, 1, matching, 0);
    }
}
