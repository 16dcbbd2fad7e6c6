package winnow.tests.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The disk of `tests/disk/faulty-disk.c`, which is mounted: syncs can hang and fail, and its power
/// can be cut. `-Dwinnow.faulty-disk=DIR` names where; `tests/store-faults` mounts one.
final class FaultyDisk {
    private static final List<String> WRITES = List.of("none", "prefix", "random");
    private static final List<String> NAMES = List.of("none", "all", "random");
    private static final Pattern STATE =
            Pattern.compile("syncs (\\d+) waiting (\\d+) lost (\\d+)\\s*");
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Path directory = Path.of(System.getProperty("winnow.faulty-disk", ""));
    private final Path faults = directory.resolve(".faults");

    /// What becomes of a sync.
    enum Sync {
        /// The data is on the disk.
        HONEST,

        /// It is answered, and nothing is on the disk.
        IGNORED,

        /// It fails, and what was written before never comes to the disk.
        FAILED
    }

    /// Where it is mounted.
    Path directory() {
        return directory;
    }

    private void command(String line) throws IOException {
        Files.writeString(faults, line + "\n");
    }

    void sync(Sync what) throws IOException {
        command("sync " + what.name().toLowerCase(Locale.ROOT));
    }

    /// Syncs wait from now on.
    void hold() throws IOException {
        command("hold");
    }

    /// Syncs that wait go on.
    void release() throws IOException {
        command("release");
    }

    /// Waits until a sync waits.
    void awaitHeldSync() throws IOException {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (figure(2) == 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("expected a sync of the broker, found none");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private long figure(int group) throws IOException {
        String state = Files.readString(faults);
        Matcher found = STATE.matcher(state);
        if (!found.matches()) {
            throw new IllegalStateException("expected the figures of a disk, found " + state);
        }
        return Long.parseLong(found.group(group));
    }

    /// Cuts the power: all that was synced is there, and nothing else.
    void cut() throws IOException {
        command("cut none none 0");
    }

    /// Cuts the power: what was not synced is there, is lost, or partly so, as chance will have it.
    void cut(Random random) throws IOException {
        String line =
                "cut %s %s %d"
                        .formatted(
                                WRITES.get(random.nextInt(WRITES.size())),
                                NAMES.get(random.nextInt(NAMES.size())),
                                random.nextInt(Integer.MAX_VALUE));
        command(line);
        System.out.println(line + ": lost " + figure(3) + " bytes");
    }

    /// Makes it honest and empty.
    void clear() throws IOException {
        release();
        sync(Sync.HONEST);
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(directory)) {
                    Files.delete(path);
                }
            }
        }
    }
}
