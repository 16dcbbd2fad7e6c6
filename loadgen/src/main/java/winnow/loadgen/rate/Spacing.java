package winnow.loadgen.rate;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/// Distribution of the time between two messages that are due. The text form is as it is typed.
/// Immutable.
///
/// @param isRandom whether clumps come as a Poisson process, or evenly
/// @param clump mean number of messages that are due at the same time, whose number has a geometric
///   distribution; 1 for single messages
public record Spacing(boolean isRandom, double clump) {

    /// Evenly, one at a time.
    public static final Spacing CONSTANT = new Spacing(false, 1);

    /// As a Poisson process, one at a time.
    public static final Spacing POISSON = new Spacing(true, 1);

    /// Mean of the largest clumps.
    public static final int MOST = 10_000;

    private static final String CLUMPED = "clumped:";
    private static final Pattern MEAN = Pattern.compile("\\d{1,9}(?:\\.\\d{1,9})?");

    public Spacing {
        if (!(clump >= 1 && clump <= MOST)) {
            throw new IllegalArgumentException(
                    "expected clumps of 1 to %,d messages on average, found %s"
                            .formatted(MOST, clump));
        }
    }

    /// The reverse of [#toString()].
    ///
    /// @throws IllegalArgumentException if it is none
    @JsonCreator
    public static Spacing of(String text) {
        var mean = text.startsWith(CLUMPED) ? text.substring(CLUMPED.length()) : "";
        if (MEAN.matcher(mean).matches()) {
            return new Spacing(true, Double.parseDouble(mean));
        }
        return switch (text) {
            case "constant" -> CONSTANT;
            case "poisson" -> POISSON;
            default ->
                    throw new IllegalArgumentException(
                            "expected constant, poisson or clumped:MEAN such as clumped:10, found '"
                                    + text
                                    + "'");
        };
    }

    /// The times of one of several publishers, who together have the rate.
    SendTimes times(double messagesPerSecond, int publisher, int publishers, long seed) {
        var each = messagesPerSecond / publishers;
        return isRandom
                ? SendTimes.poisson(each, clump, seed + publisher)
                : SendTimes.constant(each, (double) publisher / publishers);
    }

    @Override
    @JsonValue
    public String toString() {
        if (!isRandom) {
            return "constant";
        }
        return clump == 1
                ? "poisson"
                : CLUMPED + BigDecimal.valueOf(clump).stripTrailingZeros().toPlainString();
    }
}
