package winnow.loadgen.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Duration;
import java.util.Locale;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.rate.Knee;
import winnow.loadgen.rate.LatencyAim;
import winnow.loadgen.rate.LatencyFigures;
import winnow.loadgen.rate.RateResult;

/// Results of runs at a rate for people and programs.
final class RateText {

    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .registerModule(
                            new SimpleModule()
                                    .addSerializer(Duration.class, ToStringSerializer.instance));

    private RateText() {}

    /// For programs. Durations are as in ISO 8601.
    static String json(Object results) throws JsonProcessingException {
        return JSON.writeValueAsString(results);
    }

    /// One run.
    static String of(RateResult result) {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "messages a second: %,.0f due, %,.0f sent, %,.0f received%n",
                        result.ratePerSecond(),
                        result.sentPerSecond(),
                        result.receivedPerSecond()));
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-18s %10s %10s %10s %10s %10s %10s %10s%n",
                        "milliseconds",
                        "mean",
                        "p50",
                        "p90",
                        "p99",
                        "p99.9",
                        "p99.99",
                        "max"));
        text.append(line("latency", result.latency()));
        text.append(line("a send takes", result.sending()));
        text.append(line("late by itself", result.lag()));
        text.append(
                String.format(
                        Locale.ROOT,
                        "%,d missing, %,d out of sequence or twice, %,d refused%s%n",
                        result.missing(),
                        result.outOfSequence(),
                        result.refused(),
                        result.refusal().isEmpty()
                                ? ""
                                : ": " + ReceivedText.visible(result.refusal())));
        if (!result.voidReason().isEmpty()) {
            text.append("VOID: ").append(result.voidReason()).append('\n');
        } else if (!result.keptUp()) {
            text.append("The broker did not take messages as fast as they were due.\n");
        }
        return text.toString();
    }

    private static String line(String name, LatencyFigures figures) {
        return String.format(
                Locale.ROOT,
                "%-18s %10s %10s %10s %10s %10s %10s %10s%n",
                name,
                millis(figures.meanMicros()),
                millis(figures.p50Micros()),
                millis(figures.p90Micros()),
                percentile(figures.p99Micros(), figures.count(), 100),
                percentile(figures.p999Micros(), figures.count(), 1_000),
                percentile(figures.p9999Micros(), figures.count(), 10_000),
                millis(figures.maxMicros()));
    }

    /// Of fewer times than one of so many a percentile would be the longest.
    private static String percentile(double micros, long count, long oneOf) {
        return count < oneOf ? "-" : millis(micros);
    }

    static String millis(double micros) {
        return String.format(Locale.ROOT, micros < 10_000 ? "%,.3f" : "%,.1f", micros / 1e3);
    }

    /// One line of a search.
    static String step(RateResult result, LatencyAim aim) {
        return String.format(
                Locale.ROOT,
                "%,10.0f/s  p50 %s ms  p99 %s ms  p99.9 %s ms  %s",
                result.ratePerSecond(),
                millis(result.latency().p50Micros()),
                millis(result.latency().p99Micros()),
                millis(result.latency().p999Micros()),
                verdict(result, aim));
    }

    private static String verdict(RateResult result, LatencyAim aim) {
        if (!result.voidReason().isEmpty()) {
            return "void: " + result.voidReason();
        }
        return aim.isMetBy(result) ? "meets it" : result.keptUp() ? "too slow" : "not kept up";
    }

    /// Outcome of a search.
    static String of(Knee knee, LatencyAim aim, double capacity) {
        if (knee.ratePerSecond() == 0) {
            return knee.runs().stream().allMatch(run -> !run.voidReason().isEmpty())
                    ? "nothing is known of any rate: %s%n"
                            .formatted(knee.runs().getLast().voidReason())
                    : "no rate is known to meet %s: try a longer latency%n".formatted(aim);
        }
        var above =
                knee.runs().stream()
                                .filter(run -> run.ratePerSecond() == knee.missedPerSecond())
                                .allMatch(run -> !run.voidReason().isEmpty())
                        ? "at %,.0f this program was late by itself"
                        : "%,.0f do not";
        return String.format(
                Locale.ROOT,
                "knee: %,.0f messages a second meet %s, three times out of three; "
                        + above
                        + ".%n"
                        + "That is %.0f %% of the capacity, %,.0f messages a second.%n",
                knee.ratePerSecond(),
                aim,
                knee.missedPerSecond(),
                100 * knee.ratePerSecond() / capacity,
                capacity);
    }
}
