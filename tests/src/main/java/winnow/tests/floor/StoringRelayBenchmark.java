package winnow.tests.floor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Measures what sockets and a disk allow together: publishers on plain sockets that wait for each
/// of their messages of 1 KiB, a relay that syncs them to a bare file, one subscriber; and the same
/// with the threads that a broker and a client have at least: one that syncs apart from the event
/// loop, one that reads apart from the publisher. Prints a table.
///
/// Usage: `StoringRelayBenchmark DIRECTORY SECONDS WARM_UP_SECONDS`
public final class StoringRelayBenchmark {
    private static final int BODY_BYTES = 1024;

    private StoringRelayBenchmark() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: StoringRelayBenchmark DIRECTORY SECONDS WARM_UP_SECONDS");
            System.exit(2);
        }
        String file = Path.of(args[0], "relay.log").toString();
        Duration interval = Duration.ofSeconds(Long.parseLong(args[1]));
        Duration warmUp = Duration.ofSeconds(Long.parseLong(args[2]));
        System.out.println("| producers | server | msg/s | broker us | client us |");
        System.out.println("|---|---|---|---|---|");
        for (boolean apart : new boolean[] {false, true}) {
            List<String> command = FloorBenchmark.java(Relay.class, file, Boolean.toString(apart));
            try (ServerProcess server = new ServerProcess(command)) {
                for (int publishers : new int[] {1, 10, 50}) {
                    RawLoad.Result result =
                            RawLoad.confirmed(server.address(), publishers, BODY_BYTES, apart)
                                    .run(server, warmUp, interval);
                    System.out.printf(
                            Locale.ROOT,
                            "| %d | %s | %.0f | %.1f | %.1f |%n",
                            publishers,
                            "sockets and bare file" + (apart ? ", threads apart" : ""),
                            result.messagesPerSecond(),
                            result.cpuMicrosPerMessage(),
                            result.clientCpuMicrosPerMessage());
                }
            }
        }
    }
}
