package winnow.loadgen.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuClockTest {

    private static final long TICK_NANOS = 10_000_000;

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldAgreeWithTheOperatingSystemsTicks() throws IOException {
        // given
        var pid = ProcessHandle.current().pid();

        // when
        var before = new ProcCpuClock(pid).cpuNanos().orElseThrow();
        var exact = new KernelCpuClock(pid).cpuNanos().orElseThrow();
        var after = new ProcCpuClock(pid).cpuNanos().orElseThrow();

        // then
        assertThat(exact).isBetween(before - TICK_NANOS, after + 3 * TICK_NANOS);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldFailForAProcessThatIsGone() {
        // given: pids end at 2^22
        var clock = new KernelCpuClock(1 << 23);

        // then
        assertThatIOException().isThrownBy(clock::cpuNanos).withMessageContaining("is gone");
        assertThatIOException().isThrownBy(() -> new ProcCpuClock(1 << 23).cpuNanos());
    }

    @Test
    void shouldLeaveOutCompilerThreads(@TempDir Path tasks) throws IOException {
        // given
        thread(tasks, "1", "java", 1_000);
        thread(tasks, "2", "C2 CompilerThre", 300);
        thread(tasks, "3", "C1 CompilerThre", 40);
        var compilers = new CompilerThreads(tasks);
        var clock = new JavaCpuClock(clockAt(2_000), compilers);

        // when: a compiler thread ends
        var before = clock.cpuNanos();
        thread(tasks, "2", "C2 CompilerThre", 500);
        var later = clock.cpuNanos();
        Files.delete(tasks.resolve("2/comm"));
        var ended = clock.cpuNanos();

        // then
        assertThat(before).hasValue(2_000 - 340);
        assertThat(later).hasValue(2_000 - 540);
        assertThat(ended).hasValue(2_000 - 540);
        assertThat(clock.compilerNanos()).hasValue(540);
    }

    private static void thread(Path tasks, String id, String name, long nanos) throws IOException {
        var directory = Files.createDirectories(tasks.resolve(id));
        Files.writeString(directory.resolve("comm"), name + "\n");
        Files.writeString(directory.resolve("schedstat"), nanos + " 7 1\n");
    }

    private static CpuClock clockAt(long nanos) {
        return new CpuClock() {
            @Override
            public OptionalLong cpuNanos() {
                return OptionalLong.of(nanos);
            }

            @Override
            public String source() {
                return "fixed";
            }
        };
    }

    @Test
    void shouldReadHowATopicIsMatched() {
        // given
        var page =
                """
                # TYPE winnow_topic_messages_total counter
                winnow_topic_messages_total{matching="linear",topic="load.1"} 5.0
                winnow_topic_messages_total{matching="indexed",topic="load.10"} 5.0
                """;

        // then
        assertThat(TopicMatching.parse(page, "load.1")).hasValue("linear");
        assertThat(TopicMatching.parse(page, "load.10")).hasValue("indexed");
        assertThat(TopicMatching.parse(page, "load.100")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {" 12.5", "{job=\"a b\"} 12.5", " 12.5 1732204800000", "{a=\"b\"} 12.5 7"})
    void shouldReadPrometheusText(String sample) throws IOException {
        // given
        var page =
                """
                # HELP process_cpu_seconds_total Total user and system CPU time.
                # TYPE process_cpu_seconds_total counter
                process_cpu_seconds_total%s
                other_metric 3
                """
                        .formatted(sample);

        // when
        var nanos = MetricsCpuClock.parse(page);

        // then
        assertThat(nanos).isEqualTo(12_500_000_000L);
    }

    @Test
    void shouldSayWhoseMetricsAreMissing() throws IOException {
        // given: nobody listens
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var address = URI.create("http://127.0.0.1:" + port + "/metrics");

        // then
        assertThatIOException()
                .isThrownBy(() -> CpuClock.ofMetrics(address).cpuNanos())
                .withMessage("expected metrics at " + address + ", found no answer");
    }

    @Test
    void shouldSayThatAPageHasACpuTimeThatIsNoNumber() {
        assertThatIOException()
                .isThrownBy(() -> MetricsCpuClock.parse("process_cpu_seconds_total much\n"))
                .withMessageContaining("expected seconds", "'much'");
    }

    @Test
    void shouldSayThatAPageHasNoCpuTime() {
        assertThatIOException()
                .isThrownBy(() -> MetricsCpuClock.parse("up 1\n"))
                .withMessageContaining("process_cpu_seconds_total");
    }

    @Test
    void shouldDivideTheMachinesTicks() {
        // given
        var meminfo = List.of("MemTotal:  1000 kB", "MemFree: 1 kB", "MemAvailable:  250 kB");

        // when
        var before = HostUse.parse("cpu  100 0 100 800 0 0 0 0 0 0", meminfo);
        var after = HostUse.parse("cpu  150 0 120 820 0 0 0 10 0 0", meminfo);

        // then: 70 busy and 10 stolen of 100
        assertThat(after.busyShareSince(before)).isEqualTo(0.7);
        assertThat(after.stolenShareSince(before)).isEqualTo(0.1);
        assertThat(after.memoryShare()).isEqualTo(0.75);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "cpu",
                "cpu a b c d e f g h",
                "cpu 1 2 3 4 5 6 7",
                "cpu 99999999999999999999 0 0 0 0 0 0 0",
                "intr 1 2 3 4 5 6 7 8"
            })
    void shouldKnowNothingOfAMachineThatDoesNotTell(String line, @TempDir Path directory)
            throws IOException {
        // given
        var stat = Files.writeString(directory.resolve("stat"), line + "\n");
        var meminfo = Files.writeString(directory.resolve("meminfo"), "MemTotal: x kB\n");
        var missing = directory.resolve("missing");

        // then
        assertThat(HostUse.of(stat, meminfo)).isEqualTo(HostUse.UNKNOWN);
        assertThat(HostUse.of(missing, missing)).isEqualTo(HostUse.UNKNOWN);
        assertThat(HostUse.of(directory, directory)).isEqualTo(HostUse.UNKNOWN);
    }

    @Test
    void shouldCountTheHostsProcessors(@TempDir Path directory) throws IOException {
        // given
        var ticks = " 1 2 3 4 5 6 7 8\n";
        var stat =
                Files.writeString(
                        directory.resolve("stat"),
                        "cpu" + ticks + "cpu0" + ticks + "cpu3" + ticks + "cpus 7\nintr 9\n");

        // then
        assertThat(HostUse.processors(stat)).isEqualTo(2);
        assertThat(HostUse.processors(directory.resolve("missing"))).isNull();
    }

    @Test
    void shouldNotKnowSharesWithoutTwoSamplesOfTicks() {
        // given
        var sample = HostUse.parse("cpu  100 0 100 800 0 0 0 0 0 0", List.of());

        // then
        assertThat(HostUse.UNKNOWN.busyShareSince(HostUse.UNKNOWN)).isNaN();
        assertThat(sample.busyShareSince(HostUse.UNKNOWN)).isNaN();
        assertThat(HostUse.UNKNOWN.stolenShareSince(sample)).isNaN();
        assertThat(sample.stolenShareSince(sample)).isNaN();
        assertThat(sample.memoryShare()).isNaN();
    }
}
