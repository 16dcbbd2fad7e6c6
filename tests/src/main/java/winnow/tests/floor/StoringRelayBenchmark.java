package winnow.tests.floor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Measures what sockets and a disk allow together: publishers on plain sockets that wait for each
/// of their messages of 1 KiB, a relay that syncs them to a bare file, one subscriber; the same
/// with the threads that a broker and a client have at least: one that syncs apart from the event
/// loop, one that reads apart from the publisher; and that with the log of Winnow's store instead
/// of the bare file. Prints a table.
///
/// Usage: `StoringRelayBenchmark DIRECTORY SECONDS FIRST_WARM_UP_SECONDS WARM_UP_SECONDS`. The
/// first warm-up is for the just-in-time compilers of a relay and its client.
public final class StoringRelayBenchmark {
    private static final int BODY_BYTES = 1024;

    private StoringRelayBenchmark() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 4) {
            System.err.println(
                    "usage: StoringRelayBenchmark DIRECTORY SECONDS FIRST_WARM_UP_SECONDS"
                            + " WARM_UP_SECONDS");
            System.exit(2);
        }
        Duration interval = Duration.ofSeconds(Long.parseLong(args[1]));
        Duration firstWarmUp = Duration.ofSeconds(Long.parseLong(args[2]));
        Duration laterWarmUp = Duration.ofSeconds(Long.parseLong(args[3]));
        System.out.println("| producers | server | msg/s | broker us | client us |");
        System.out.println("|---|---|---|---|---|");
        for (RelayLog.Kind kind : RelayLog.Kind.values()) {
            String log = Path.of(args[0], "relay-" + kind.name()).toString();
            List<String> command = FloorBenchmark.java(Relay.class, log, kind.name());
            boolean apart = kind != RelayLog.Kind.FILE;
            Duration warmUp = firstWarmUp;
            try (ServerProcess server = new ServerProcess(command)) {
                for (int publishers : new int[] {50, 10, 1}) {
                    RawLoad.Result result =
                            RawLoad.confirmed(server.address(), publishers, BODY_BYTES, apart)
                                    .run(server, warmUp, interval);
                    System.out.printf(
                            Locale.ROOT,
                            "| %d | %s | %.0f | %.1f | %.1f |%n",
                            publishers,
                            kind.title,
                            result.messagesPerSecond(),
                            result.cpuMicrosPerMessage(),
                            result.clientCpuMicrosPerMessage());
                    warmUp = laterWarmUp;
                }
            }
        }
    }
}
