package winnow.selector.parse;

import winnow.selector.check.Position;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.NumberLiteral;

/// Reads numeric literals in Java's syntax (JLS 3.10.1, 3.10.2). Exact ones are all long, with or
/// without the suffix `L`, and so are hexadecimal, octal and binary ones: `0xFFFFFFFF` is
/// 4294967295.
final class NumberText {

    private NumberText() {}

    /// @param negative whether a minus sign stands directly before; only then may the text be 2^63
    static NumberLiteral exact(String text, boolean negative, Position position) {
        String digits = text.replace("_", "");
        char last = digits.charAt(digits.length() - 1);
        if (last == 'l' || last == 'L') {
            digits = digits.substring(0, digits.length() - 1);
        }
        try {
            return new LongLiteral(parse(digits, negative));
        } catch (NumberFormatException _) {
            throw position.error("a number within the range of long", "'" + shown(text) + "'");
        }
    }

    private static long parse(String digits, boolean negative) {
        if (digits.length() > 1 && digits.charAt(0) == '0') {
            long value =
                    switch (digits.charAt(1)) {
                        case 'x', 'X' -> Long.parseUnsignedLong(digits.substring(2), 16);
                        case 'b', 'B' -> Long.parseUnsignedLong(digits.substring(2), 2);
                        default -> Long.parseUnsignedLong(digits, 8);
                    };
            return negative ? -value : value;
        }
        return Long.parseLong(negative ? "-" + digits : digits);
    }

    static NumberLiteral approximate(String text, Position position) {
        String digits = text.replace("_", "");
        boolean hexadecimal = digits.startsWith("0x") || digits.startsWith("0X");
        char last = Character.toLowerCase(digits.charAt(digits.length() - 1));
        if (last == 'f') {
            float value = Float.parseFloat(digits);
            check(Float.isFinite(value), value == 0, digits, hexadecimal, position);
            return new FloatLiteral(value);
        }
        double value = Double.parseDouble(digits);
        check(Double.isFinite(value), value == 0, digits, hexadecimal, position);
        return new DoubleLiteral(value);
    }

    /// JLS 3.10.2: it is an error if a literal is rounded to infinity, or a nonzero one to zero.
    private static void check(
            boolean finite, boolean zero, String digits, boolean hexadecimal, Position position) {
        if (!finite) {
            throw position.error("a smaller number", "'" + shown(digits) + "', which is infinite");
        }
        if (zero && hasNonzeroDigit(digits, hexadecimal)) {
            throw position.error("a larger number", "'" + shown(digits) + "', which rounds to 0");
        }
    }

    private static boolean hasNonzeroDigit(String digits, boolean hexadecimal) {
        for (int i = hexadecimal ? 2 : 0; i < digits.length(); i++) {
            char c = Character.toLowerCase(digits.charAt(i));
            if (hexadecimal ? c == 'p' : c == 'e' || c == 'f' || c == 'd') {
                return false;
            }
            if (c != '0' && c != '.') {
                return true;
            }
        }
        return false;
    }

    private static String shown(String text) {
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }
}
