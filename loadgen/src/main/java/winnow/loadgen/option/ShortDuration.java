package winnow.loadgen.option;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Durations on the command line: `250us`, `500ms`, `2s`, `1.5s`, `3m`, `6h`, `28d`.
public final class ShortDuration implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s|m|h|d)");

    /// In nanoseconds, several of these are a long.
    private static final Duration LONGEST = Duration.ofDays(365);

    /// As it may be typed.
    public static String text(Duration duration) {
        if (duration.toNanos() % 1_000_000 != 0) {
            return duration.toNanos() / 1_000 + "us";
        }
        var millis = duration.toMillis();
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    @Override
    public Duration convert(String text) {
        var matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "expected a duration such as 500ms, 2s or 3m, found '" + text + "'");
        }
        var millisPerUnit =
                switch (matcher.group(2)) {
                    case "us" -> 0.001;
                    case "ms" -> 1;
                    case "s" -> 1_000;
                    case "m" -> 60_000;
                    case "h" -> 3_600_000;
                    default -> 86_400_000;
                };
        var millis = Double.parseDouble(matcher.group(1)) * millisPerUnit;
        if (millis > LONGEST.toMillis()) {
            throw new TypeConversionException(
                    "expected a duration of at most %d days, found '%s'"
                            .formatted(LONGEST.toDays(), text));
        }
        return Duration.ofNanos(Math.round(millis * 1_000) * 1_000);
    }
}
