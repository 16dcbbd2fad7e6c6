package winnow.loadgen.option;

import java.util.regex.Pattern;

/// Values of message properties on the command line, typed as a selector would read them: `5` is a
/// long, `5.0` a double, `true` a boolean, `'5'` and everything else a string.
public final class PropertyValue {

    private static final Pattern LONG = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern DOUBLE = Pattern.compile("[+-]?\\d+\\.\\d*([eE][+-]?\\d+)?");

    private PropertyValue() {}

    public static Object parse(String text) {
        if (text.length() >= 2 && text.startsWith("'") && text.endsWith("'")) {
            return text.substring(1, text.length() - 1);
        }
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (LONG.matcher(text).matches()) {
            return Long.valueOf(text);
        }
        return DOUBLE.matcher(text).matches() ? (Object) Double.valueOf(text) : text;
    }
}
