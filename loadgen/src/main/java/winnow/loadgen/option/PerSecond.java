package winnow.loadgen.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Frequency on the command line: `50/s`, or `50`.
final class PerSecond implements ITypeConverter<Double> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(?:/s)?");

    @Override
    public Double convert(String text) {
        var matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "expected how often in a second, such as 50/s, found '" + text + "'");
        }
        return Double.valueOf(matcher.group(1));
    }
}
