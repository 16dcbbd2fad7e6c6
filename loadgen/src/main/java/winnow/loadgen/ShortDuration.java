package winnow.loadgen;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Durations on the command line: `500ms`, `2s`, `1.5s`, `3m`.
final class ShortDuration implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m)");

    /// In nanoseconds, several of these are a long.
    private static final Duration LONGEST = Duration.ofDays(365);

    /// As it may be typed.
    static String text(Duration duration) {
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
                    case "ms" -> 1;
                    case "s" -> 1_000;
                    default -> 60_000;
                };
        var millis = Double.parseDouble(matcher.group(1)) * millisPerUnit;
        if (millis > LONGEST.toMillis()) {
            throw new TypeConversionException(
                    "expected a duration of at most %d days, found '%s'"
                            .formatted(LONGEST.toDays(), text));
        }
        return Duration.ofMillis(Math.round(millis));
    }
}
