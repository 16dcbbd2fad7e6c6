package winnow.loadgen.ageing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import winnow.loadgen.run.LoadException;

/// The rounds so far in `rounds.jsonl`, where each is on the disk before the next one begins. The
/// first line says what is measured. Locked for one command; owned by its thread.
public final class RoundFile implements AutoCloseable {

    /// Name in the directory of the results.
    public static final String NAME = "rounds.jsonl";

    /// Name of the empty file that is locked.
    private static final String LOCK = "rounds.lock";

    /// More than four weeks of a round each second.
    private static final long MOST_BYTES = 1L << 30;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final FileChannel channel;
    private final FileChannel lock;
    private final List<AgeingRound> rounds;

    /// The first line.
    ///
    /// @param load points and settings of each round
    private record Beginning(String load) {}

    private RoundFile(Path file, FileChannel channel, FileChannel lock, List<AgeingRound> rounds) {
        this.file = file;
        this.channel = channel;
        this.lock = lock;
        this.rounds = rounds;
    }

    /// Opens the file of a directory, or begins it. A line that a crash has cut off is removed.
    ///
    /// @param load points and settings of each round
    /// @param warnings gets a sentence for a line that is removed
    /// @throws LoadException if the rounds there are of another load, or another command adds to
    ///   them
    public static RoundFile open(Path directory, String load, Consumer<String> warnings)
            throws IOException, LoadException {
        var lock = lock(directory);
        try {
            return open(directory, lock, load, warnings);
        } catch (IOException | LoadException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    private static RoundFile open(
            Path directory, FileChannel lock, String load, Consumer<String> warnings)
            throws IOException, LoadException {
        var file = directory.resolve(NAME);
        var channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            var lines = completeLines(file, channel, warnings);
            if (lines.isEmpty()) {
                append(channel, new Beginning(load));
                force(directory);
                return new RoundFile(file, channel, lock, new ArrayList<>());
            }
            var beginning = beginning(file, lines.getFirst());
            if (!beginning.load.equals(load)) {
                throw new LoadException(
                        "%s: expected rounds of the same points and settings, found [%s], not [%s]:"
                                        .formatted(file, beginning.load, load)
                                + " choose another --out");
            }
            return new RoundFile(file, channel, lock, rounds(file, lines));
        } catch (IOException | LoadException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /// Locks a file of its own: a lock on a POSIX system ends when the process closes any
    /// descriptor of the file, such as that of whoever reads the rounds.
    private static FileChannel lock(Path directory) throws IOException, LoadException {
        var file = directory.resolve(LOCK);
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException ofThisProcess) {
            // Said below.
        }
        channel.close();
        throw new LoadException(
                directory
                        + ": expected no other command that adds rounds to it, found one: wait for"
                        + " it or choose another --out");
    }

    /// All lines that end; what comes after them is cut off the file.
    private static List<String> completeLines(
            Path file, FileChannel channel, Consumer<String> warnings)
            throws IOException, LoadException {
        if (channel.size() > MOST_BYTES) {
            throw new LoadException(
                    "%s: expected at most %,d bytes, found %,d"
                            .formatted(file, MOST_BYTES, channel.size()));
        }
        var bytes = Files.readAllBytes(file);
        var end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (end < bytes.length) {
            warnings.accept("%s: the last line is cut off and left out".formatted(file));
            channel.truncate(end);
            channel.force(true);
        }
        channel.position(end);
        return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
    }

    private static Beginning beginning(Path file, String line) throws LoadException {
        try {
            var beginning = JSON.readValue(line, Beginning.class);
            if (beginning != null && beginning.load != null) {
                return beginning;
            }
        } catch (JsonProcessingException malformed) {
            // Said below.
        }
        throw new LoadException(
                "%s line 1: expected the load of rounds, found another text".formatted(file));
    }

    private static List<AgeingRound> rounds(Path file, List<String> lines) throws LoadException {
        var rounds = new ArrayList<AgeingRound>();
        for (var index = 1; index < lines.size(); index++) {
            try {
                rounds.add(JSON.readValue(lines.get(index), AgeingRound.class));
            } catch (JsonProcessingException malformed) {
                throw new LoadException(
                        ("%s line %d: expected a round, found: %s: repair or delete the"
                                        + " line, or choose another --out")
                                .formatted(file, index + 1, malformed.getOriginalMessage()));
            }
        }
        return rounds;
    }

    /// When the first round began; empty before it.
    public Optional<Instant> started() {
        return rounds.stream().findFirst().map(AgeingRound::time);
    }

    /// All rounds, in order.
    public List<AgeingRound> rounds() {
        return List.copyOf(rounds);
    }

    /// Number of the round to come.
    public int next() {
        return rounds.isEmpty() ? 1 : rounds.getLast().number() + 1;
    }

    /// Keeps a round; when this returns it is on the disk.
    public void add(AgeingRound round) throws LoadException {
        try {
            append(channel, round);
        } catch (IOException failed) {
            throw new LoadException("cannot write a round to " + file, failed);
        }
        rounds.add(round);
    }

    private static void append(FileChannel channel, Object line) throws IOException {
        var bytes =
                ByteBuffer.wrap(
                        (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(true);
    }

    /// The name of a new file, too.
    private static void force(Path directory) throws IOException {
        try (var folder = FileChannel.open(directory)) {
            folder.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            channel.close();
        }
    }
}
