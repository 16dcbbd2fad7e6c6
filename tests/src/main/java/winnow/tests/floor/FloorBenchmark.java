package winnow.tests.floor;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures the broker against the bare relay in one run: processor time per message for several
/// fan-outs and body sizes with the same client and the same copies in flight, the round trip of
/// one byte, and publishers that wait for each confirmation. Prints tables.
///
/// Usage: `FloorBenchmark WINNOW_LAUNCHER [SECONDS [PART]]`, where the part is `saturated`,
/// `round-trip` or `confirmed`; all without.
public final class FloorBenchmark {
    /// Copies under way, as in the peers' measurements, but no more bytes than the sockets take.
    private static final int MAX_IN_FLIGHT = 10_000;

    private static final int MAX_IN_FLIGHT_BYTES = 1024 * 1024;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final List<String> PARTS = List.of("saturated", "round-trip", "confirmed");

    /// Each with processes of its own: the kernel may put both sides of a round trip on one
    /// processor, and then nobody sleeps and it is several times shorter.
    private static final int ROUND_TRIP_RUNS = 5;

    private FloorBenchmark() {}

    public static void main(String[] args) throws Exception {
        if (args.length < 1) {
            System.err.println("usage: FloorBenchmark WINNOW_LAUNCHER [SECONDS [PART]]");
            System.exit(2);
        }
        List<String> parts = args.length > 2 ? List.of(args[2]) : PARTS;
        if (!PARTS.containsAll(parts)) {
            System.err.printf("FloorBenchmark: expected a part of %s, found %s%n", PARTS, args[2]);
            System.exit(2);
        }
        Duration interval = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 5);
        List<String> broker =
                List.of(
                        Path.of(args[0]).toString(),
                        "broker",
                        "--port=0",
                        "--http-port=0",
                        "--set=destination.slow-consumers=*=block");
        List<String> relay = java(Relay.class);
        if (parts.contains("saturated")) {
            saturated(relay, broker, interval);
        }
        for (int i = 0; i < ROUND_TRIP_RUNS && parts.contains("round-trip"); i++) {
            roundTrips(relay, broker);
        }
        if (parts.contains("confirmed")) {
            confirmed(relay, broker, interval);
        }
    }

    private static void saturated(List<String> relay, List<String> broker, Duration interval)
            throws Exception {
        System.out.printf(
                Locale.ROOT,
                "%-34s %12s %12s %7s %12s%n",
                "",
                "relay µs/msg",
                "winnow",
                "ratio",
                "winnow msg/s");
        for (int[] point :
                new int[][] {
                    {1, 1, 0}, {5, 1, 0}, {20, 1, 0}, {5, 10, 0}, {5, 40, 0}, {5, 1, 1024}
                }) {
            RawLoad.Result floor = load(relay, point, interval);
            RawLoad.Result ours = load(broker, point, interval);
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %12.3f %12.3f %7.2f %12.0f%n",
                    point[0] + " publishers, r = " + point[1] + ", body " + point[2],
                    floor.cpuMicrosPerMessage(),
                    ours.cpuMicrosPerMessage(),
                    ours.cpuMicrosPerMessage() / floor.cpuMicrosPerMessage(),
                    ours.messagesPerSecond());
        }
    }

    private static void roundTrips(List<String> relay, List<String> broker) throws Exception {
        RawRoundTrip.Result floor = roundTrip(relay);
        RawRoundTrip.Result ours = roundTrip(broker);
        System.out.printf(
                Locale.ROOT,
                "round trip of 1 byte, µs p50/p99: relay %.1f/%.1f, winnow %.1f/%.1f,"
                        + " ratio %.2f/%.2f%n",
                floor.p50Micros(),
                floor.p99Micros(),
                ours.p50Micros(),
                ours.p99Micros(),
                ours.p50Micros() / floor.p50Micros(),
                ours.p99Micros() / floor.p99Micros());
    }

    private static void confirmed(List<String> relay, List<String> broker, Duration interval)
            throws Exception {
        System.out.printf(
                Locale.ROOT,
                "%-34s %14s %14s %14s%n",
                "one confirmed message at a time",
                "server µs/msg",
                "client µs/msg",
                "msg/s");
        for (int publishers : new int[] {1, 5, 20}) {
            confirmed("plain sockets", java(BlockingRelay.class), publishers, interval);
            confirmed("relay", relay, publishers, interval);
            confirmed("winnow", broker, publishers, interval);
        }
    }

    static List<String> java(Class<?> main, String... args) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + File.separator + "bin/java",
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()));
        command.addAll(List.of(args));
        return command;
    }

    private static void confirmed(
            String name, List<String> command, int publishers, Duration interval) throws Exception {
        try (ServerProcess server = new ServerProcess(command)) {
            RawLoad.Result result =
                    RawLoad.confirmed(server.address(), publishers, 0, false)
                            .run(server, WARM_UP, interval);
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %14.3f %14.3f %14.0f%n",
                    publishers + " publishers, " + name,
                    result.cpuMicrosPerMessage(),
                    result.clientCpuMicrosPerMessage(),
                    result.messagesPerSecond());
        }
    }

    private static RawLoad.Result load(List<String> command, int[] point, Duration interval)
            throws Exception {
        try (ServerProcess server = new ServerProcess(command)) {
            int inFlight = Math.min(MAX_IN_FLIGHT, MAX_IN_FLIGHT_BYTES / (point[2] + 40));
            return RawLoad.saturated(server.address(), point[0], point[1], point[2], 50, inFlight)
                    .run(server, WARM_UP, interval);
        }
    }

    private static RawRoundTrip.Result roundTrip(List<String> command) throws Exception {
        try (ServerProcess server = new ServerProcess(command)) {
            return RawRoundTrip.run(server.address(), 20_000, 50_000);
        }
    }
}
