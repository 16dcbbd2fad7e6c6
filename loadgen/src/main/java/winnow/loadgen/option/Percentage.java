package winnow.loadgen.option;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Shares on the command line: `5%` is 0.05.
public final class Percentage implements ITypeConverter<Double> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?)%");

    @Override
    public Double convert(String text) {
        var matcher = FORM.matcher(text);
        if (matcher.matches()) {
            return Double.parseDouble(matcher.group(1)) / 100;
        }
        throw new TypeConversionException("expected percent such as 5%, found '" + text + "'");
    }
}
