package winnow.loadgen.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Lines that the workers of one run write to a log that may have begun with an earlier run:
/// warnings of the provider, such as for whom a producer waits, which nobody would see there.
///
/// @param start bytes of earlier runs
record WorkerLog(Path file, long start) {

    private static final String WARNING = " WARN ";

    /// A log that is longer is looked at so far.
    private static final int MAX_BYTES = 16 << 20;

    /// Between the logger's name and the message.
    private static final String SEPARATOR = " - ";

    /// The part that is written from now on.
    static WorkerLog from(Path file) throws IOException {
        return new WorkerLog(file, Files.exists(file) ? Files.size(file) : 0);
    }

    /// Number of times that the provider warned, and its first warning; empty if it did not.
    Optional<String> summary() {
        List<String> warnings;
        try {
            warnings = lines().stream().filter(line -> line.contains(WARNING)).toList();
        } catch (IOException unreadable) {
            return Optional.of("cannot read " + file + ": " + unreadable.getMessage());
        }
        if (warnings.isEmpty()) {
            return Optional.empty();
        }
        var first = warnings.getFirst();
        var text = first.indexOf(SEPARATOR, first.indexOf(WARNING));
        return Optional.of(
                "the provider warned %,d times (%s), first: %s"
                        .formatted(
                                warnings.size(),
                                file,
                                text < 0 ? first : first.substring(text + SEPARATOR.length())));
    }

    private List<String> lines() throws IOException {
        if (Files.notExists(file)) {
            return List.of();
        }
        try (var log = new RandomAccessFile(file.toFile(), "r")) {
            log.seek(Math.min(start, log.length()));
            var rest = log.length() - log.getFilePointer();
            var bytes = new byte[(int) Math.min(rest, MAX_BYTES)];
            log.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).lines().toList();
        }
    }
}
