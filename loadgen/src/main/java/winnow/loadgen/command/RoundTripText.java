package winnow.loadgen.command;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Digits;
import winnow.loadgen.report.TimeText;
import winnow.loadgen.roundtrip.LayerResult;

/// Round trips as a table for a terminal.
final class RoundTripText {

    private static final double MICROS = 1e6;

    private RoundTripText() {}

    static String of(List<LayerResult> results) {
        var out =
                new StringBuilder(
                        "%-18s %10s %10s %10s %9s %12s %11s %12s%n"
                                .formatted(
                                        "layer",
                                        "bytes",
                                        "p50",
                                        "p99",
                                        "MB/s",
                                        "stream msg/s",
                                        "stream MB/s",
                                        "wire bytes"));
        for (var one : results) {
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%-18s %,10d %10s %10s %9s %12s %11s %12s%n",
                            one.layer(),
                            one.bytes(),
                            TimeText.of(one.p50Micros() / MICROS),
                            TimeText.of(one.p99Micros() / MICROS),
                            Digits.three(one.megabytesPerSecond()),
                            figure("%,.0f", one.streamPerSecond()),
                            three(one.streamMegabytesPerSecond()),
                            figure("%,.1f", one.wireBytes())));
        }
        return out.append(
                        """
                        p50, p99: of round trips. MB/s: payload of both directions over their mean.
                        wire bytes: of a message on each TCP connection. The papers: 310 (JXTA
                        endpoint), 877 (pipe) and 913 (socket) for one byte.
                        """)
                .toString();
    }

    private static String three(@Nullable Double value) {
        return value == null ? "–" : Digits.three(value);
    }

    private static String figure(String format, @Nullable Double value) {
        return value == null ? "–" : String.format(Locale.ROOT, format, value);
    }
}
