package winnow.loadgen.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Numbers as the page's tables show them.
final class ReportText {
    private static final double MICROS = 1e6;

    private ReportText() {}

    static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String time(@Nullable Double micros) {
        return micros == null ? "–" : TimeText.of(micros / MICROS);
    }

    static String share(@Nullable Double share) {
        return share == null ? "–" : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
