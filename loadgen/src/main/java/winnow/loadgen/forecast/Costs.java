package winnow.loadgen.forecast;

import winnow.loadgen.model.PaperTable;
import winnow.loadgen.model.ServiceTimes;

/// Times that a broker's work takes. Immutable.
///
/// @param name of the set
/// @param source where the figures come from
/// @param times for each message, selector and copy
/// @param byteSeconds more for each byte of a body that is received or sent
/// @param iterationSeconds for each iteration of the event loop, whatever it carries; 0 for a
///   broker that takes one message after the other
/// @param readSeconds for each connection that an iteration reads from
/// @param wakeSeconds when the loop has slept
public record Costs(
        String name,
        String source,
        ServiceTimes times,
        double byteSeconds,
        double iterationSeconds,
        double readSeconds,
        double wakeSeconds) {

    /// Times of an iteration, a read and a wake-up of Winnow's event loop, and of a byte.
    private static final String LOOP =
            "Winnow's event loop on one core of a 2-core Intel Xeon: fitted to its processor time"
                    + " at 28 paced and saturated rates, 1 and 5 publishers, 1 and 10 copies;"
                    + " mean error 12 %";

    private static final String BYTES = "; bytes from bodies of 1 KiB in docs/benchmarks.md";

    private static final double BYTE_SECONDS = 0.2e-9;

    /// FioranoMQ with correlation-ID filters.
    public static final Costs PAPER_CORRELATION =
            paper("paper-correlation", "correlation-ID filters", PaperTable.CORRELATION_ID);

    /// FioranoMQ with property filters.
    public static final Costs PAPER_PROPERTY =
            paper("paper-property", "property filters", PaperTable.PROPERTY);

    /// Winnow whose index leads to the selectors that match.
    public static final Costs WINNOW_INDEXED =
            ofWinnow(
                    "winnow-indexed",
                    LOOP + "; selectors that do not match cost nothing measurable" + BYTES,
                    new ServiceTimes(0.118e-6, 0, 0.081e-6),
                    BYTE_SECONDS);

    /// Winnow that evaluates every selector.
    public static final Costs WINNOW_LINEAR =
            ofWinnow(
                    "winnow-linear",
                    LOOP + "; a selector from the fit in docs/benchmarks.md" + BYTES,
                    new ServiceTimes(0.118e-6, 2.0e-9, 0.081e-6),
                    BYTE_SECONDS);

    /// With the event loop of Winnow.
    ///
    /// @param times of one message, as measured
    /// @param byteSeconds more for each byte of a body; 0 if the times are of messages with theirs
    public static Costs ofWinnow(
            String name, String source, ServiceTimes times, double byteSeconds) {
        return new Costs(name, source, times, byteSeconds, 7.9e-6, 3.8e-6, 11.2e-6);
    }

    /// Of a broker that takes one message after the other.
    public static Costs ofSingleServer(String name, String source, ServiceTimes times) {
        return new Costs(name, source, times, 0, 0, 0, 0);
    }

    private static Costs paper(String name, String filters, ServiceTimes times) {
        return ofSingleServer(
                name,
                "Table 1 of the FioranoMQ paper, "
                        + filters
                        + ": FioranoMQ 7.5 on one 3.2 GHz processor of 2005",
                times);
    }
}
