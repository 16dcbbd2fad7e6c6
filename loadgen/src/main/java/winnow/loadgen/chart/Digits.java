package winnow.loadgen.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/// Figures for people.
public final class Digits {

    private static final MathContext THREE = new MathContext(3);

    /// From here on all digits before the point are shown.
    private static final double WHOLE = 100;

    private Digits() {}

    /// Three digits, or all of those before the point: `0.00123`, `4.50`, `12.3`, `1,234`.
    public static String three(double value) {
        if (Math.abs(value) >= WHOLE || value == 0 || !Double.isFinite(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return BigDecimal.valueOf(value)
                .round(THREE)
                .setScale(scale(value), RoundingMode.HALF_UP)
                .toPlainString();
    }

    /// Decimals of three digits.
    private static int scale(double value) {
        return 2 - (int) Math.floor(Math.log10(Math.abs(value)));
    }
}
