package winnow.loadgen.option;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Rate on the command line: messages a second, such as `2000`, or a part of the capacity, such as
/// `70%`. Immutable.
///
/// @param value above 0
/// @param isPercent of the capacity, which is measured first
public record RateGoal(double value, boolean isPercent) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(%?)");

    /// As on the command line.
    public String text() {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString()
                + (isPercent ? "%" : "");
    }

    public static final class Converter implements ITypeConverter<RateGoal> {
        @Override
        public RateGoal convert(String text) {
            var matcher = FORM.matcher(text);
            if (!matcher.matches() || Double.parseDouble(matcher.group(1)) <= 0) {
                throw new TypeConversionException(
                        "expected messages a second such as 2000, or a part of the capacity such as"
                                + " 70%, found '"
                                + text
                                + "'");
            }
            return new RateGoal(Double.parseDouble(matcher.group(1)), !matcher.group(2).isEmpty());
        }
    }
}
