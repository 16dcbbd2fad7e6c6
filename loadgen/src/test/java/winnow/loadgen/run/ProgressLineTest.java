package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLineTest {

    @ParameterizedTest
    @ValueSource(ints = {20, 60, 80, 200})
    void shouldFitTheTerminal(int columns) {
        // given
        var out = new ByteArrayOutputStream();
        var errors = new PrintStream(out, true, StandardCharsets.UTF_8);

        // when
        try (var progress = new ProgressLine(errors, "demo", () -> columns)) {
            progress.expect(80, Duration.ofSeconds(1));
            for (var step = 0; step < 80; step++) {
                progress.begin("4.9-correlation r=40 n=160 publishers=5");
                progress.end("10,486,744 msg/s", "not shown");
            }
        }

        // then: no line break, and nothing as wide as the terminal
        var frames = out.toString(StandardCharsets.UTF_8).split("\r", -1);
        assertThat(frames)
                .allSatisfy(frame -> {
                    assertThat(frame).doesNotContain("\n", "not shown");
                    assertThat(frame.replace("\u001b[K", "")).hasSizeLessThan(columns);
                });
        if (columns >= 60) {
            assertThat(frames).anyMatch(frame -> frame.contains("100 % [============] 0:00 left"));
            assertThat(frames).anyMatch(frame -> frame.contains("10,486,744 msg/s"));
        }
    }

    @Test
    void shouldNotBelieveTheFirstSteps() {
        // given: 100 points of one second, of which the first take three
        var nanos = new AtomicLong();
        var pace = new RunProgress.Pace(nanos::get);
        pace.expect(100, Duration.ofSeconds(1));

        // when
        for (var point = 0; point < 10; point++) {
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            pace.end();
        }

        // then: more than the 90 s that are expected, not yet 270
        assertThat(pace.left()).isEqualTo("2:24");
    }

    @Test
    void shouldCountDownFromWhatIsExpected() {
        // given: ten seconds of warm-up, then 100 points of one second
        var nanos = new AtomicLong();
        var pace = new RunProgress.Pace(nanos::get);
        pace.expect(1, Duration.ofSeconds(10));
        pace.expect(100, Duration.ofSeconds(1));

        // when
        var first = pace.left();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        pace.end();
        var afterWarmUp = pace.left();
        for (var point = 0; point < 50; point++) {
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            pace.end();
        }

        // then: 110 s took 60 s as expected; the other 50 take longer in the same proportion
        assertThat(first).isEqualTo("1:50");
        assertThat(afterWarmUp).isEqualTo("1:40");
        assertThat(pace.left()).isEqualTo("1:31");
    }
}
