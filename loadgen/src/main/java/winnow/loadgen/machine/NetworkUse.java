package winnow.loadgen.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Bytes that the interfaces of a machine have received and sent so far, without loopback, from
/// Linux's /proc/net/dev; 0 elsewhere. Immutable.
public record NetworkUse(long receivedBytes, long sentBytes) {

    /// An interface with its 16 counters: received bytes first, sent bytes ninth.
    private static final Pattern INTERFACE =
            Pattern.compile("\\s*(\\S+):\\s*(\\d{1,18})(?:\\s+\\d+){7}\\s+(\\d{1,18})\\s.*");

    private static final Path DEVICES = Path.of("/proc/net/dev");

    public static NetworkUse now() {
        return of(DEVICES);
    }

    /// @param devices a file like /proc/net/dev
    static NetworkUse of(Path devices) {
        var received = 0L;
        var sent = 0L;
        try {
            for (var line : Files.readAllLines(devices)) {
                var found = INTERFACE.matcher(line);
                if (found.matches() && !found.group(1).equals("lo")) {
                    received += Long.parseLong(found.group(2));
                    sent += Long.parseLong(found.group(3));
                }
            }
        } catch (IOException unreadable) {
            return new NetworkUse(0, 0);
        }
        return new NetworkUse(received, sent);
    }
}
