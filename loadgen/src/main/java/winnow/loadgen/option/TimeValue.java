package winnow.loadgen.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Times on the command line, in seconds: `12ns`, `0.85us`, `5ms`, `1.5s`.
public final class TimeValue implements ITypeConverter<Double> {

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,12}(?:\\.\\d{1,12})?)(ns|us|µs|ms|s)");

    @Override
    public Double convert(String text) {
        var matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "expected a time such as 12ns, 0.85us, 5ms or 1.5s, found '" + text + "'");
        }
        var perSecond =
                switch (matcher.group(2)) {
                    case "ns" -> 1e9;
                    case "us", "µs" -> 1e6;
                    case "ms" -> 1e3;
                    default -> 1;
                };
        return Double.parseDouble(matcher.group(1)) / perSecond;
    }
}
