package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

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
    void shouldReadPrometheusText() throws IOException {
        // given
        var page =
                """
                # HELP process_cpu_seconds_total Total user and system CPU time.
                # TYPE process_cpu_seconds_total counter
                process_cpu_seconds_total 12.5
                other_metric 3
                """;

        // when
        var nanos = MetricsCpuClock.parse(page);

        // then
        assertThat(nanos).isEqualTo(12_500_000_000L);
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
}
