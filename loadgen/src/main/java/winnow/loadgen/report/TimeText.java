package winnow.loadgen.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/// Times for people, with three digits, in the unit that needs the fewest zeros.
public final class TimeText {

    private static final MathContext DIGITS = new MathContext(3);

    private TimeText() {}

    /// Such as `12.3 ns`, `4.56 µs` or `7.89 ms`; a dash for what is no number.
    public static String of(double seconds) {
        if (!Double.isFinite(seconds)) {
            return "–";
        }
        return in(unit(seconds), seconds) + " " + unit(seconds).symbol;
    }

    /// Both ends in the unit of the upper one: `11.9 to 12.6 ns`.
    static String range(double low, double high) {
        if (!Double.isFinite(low) || !Double.isFinite(high)) {
            return of(low) + " to " + of(high);
        }
        var unit = unit(high);
        return in(unit, low) + " to " + in(unit, high) + " " + unit.symbol;
    }

    private enum Unit {
        NANOS("ns", 1e9),
        MICROS("µs", 1e6),
        MILLIS("ms", 1e3);

        private final String symbol;
        private final double perSecond;

        Unit(String symbol, double perSecond) {
            this.symbol = symbol;
            this.perSecond = perSecond;
        }
    }

    private static Unit unit(double seconds) {
        if (seconds < 0.9995e-6) {
            return Unit.NANOS;
        }
        return seconds < 0.9995e-3 ? Unit.MICROS : Unit.MILLIS;
    }

    private static String in(Unit unit, double seconds) {
        var value = seconds * unit.perSecond;
        if (Math.abs(value) < 0.0005) {
            return "0";
        }
        var rounded = BigDecimal.valueOf(value).round(DIGITS);
        var decimals = Math.clamp(2L - exponent(rounded), 0, 3);
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
    }

    /// 0 for 1 to 9, 1 for 10 to 99.
    private static int exponent(BigDecimal value) {
        return value.precision() - value.scale() - 1;
    }
}
