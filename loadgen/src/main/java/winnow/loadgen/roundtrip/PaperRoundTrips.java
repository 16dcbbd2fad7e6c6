package winnow.loadgen.roundtrip;

import java.util.List;

/// Values that the papers state of their round trips, on networks and machines of 2003 to 2005.
final class PaperRoundTrips {

    /// @param what a layer
    /// @param wireBytes of a message with one byte of payload
    record Efficiency(String what, int wireBytes) {}

    static final List<Efficiency> EFFICIENCIES =
            List.of(
                    new Efficiency("JXTA endpoint", 310),
                    new Efficiency("JXTA pipe", 877),
                    new Efficiency("JXTA socket", 913));

    /// @param what the paper's name of it
    /// @param value as stated
    /// @param source paper and place
    record Statement(String what, String value, String source) {}

    static final List<Statement> STATEMENTS =
            List.of(
                    new Statement(
                            "Latency, JXTA 2.3.2 endpoint, pipe, socket, Gigabit Ethernet",
                            "294 µs, 711 µs, 977 µs",
                            "JXTA on grids, table 1"),
                    new Statement(
                            "Latency, JXTA 2.2.1 endpoint, pipe, socket, Gigabit Ethernet",
                            "357 µs, 834 µs, 1.3 ms",
                            "JXTA on grids, table 1"),
                    new Statement(
                            "Bandwidth, JXTA 2.2.1 endpoint, Gigabit Ethernet",
                            "101 MB/s",
                            "JXTA on grids, section 4"),
                    new Statement(
                            "Bandwidth of plain sockets, 11.2 ms and 1 Gbit/s, buffers of 131,072"
                                    + " and 1,959,526 bytes",
                            "7 MB/s, 107 MB/s",
                            "JXTA on grids, section 5"),
                    new Statement(
                            "Latency above plain Java sockets, jGMA and NaradaBrokering, Fast"
                                    + " Ethernet",
                            "about 1,200 µs",
                            "jGMA, section 6"),
                    new Statement(
                            "Bandwidth, plain Java sockets, jGMA, NaradaBrokering, Fast Ethernet",
                            "11.5, 10.9, 7.3 MB/s",
                            "jGMA, section 6"));

    private PaperRoundTrips() {}
}
