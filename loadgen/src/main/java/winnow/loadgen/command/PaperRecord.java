package winnow.loadgen.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.run.LoadException;

/// End of a step of `winnow load paper`, in `step.json` beside its results. Immutable.
///
/// @param isFull the form it had
/// @param command that repeats it
/// @param exitCode of the command
/// @param millis time that it took
record PaperRecord(boolean isFull, String command, int exitCode, long millis) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /// That of a step; empty if it has not come to its end.
    static Optional<PaperRecord> of(PaperStep step, Path directory) throws LoadException {
        var file = file(step, directory);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(file.toFile(), PaperRecord.class));
        } catch (IOException unreadable) {
            throw new LoadException(
                    "expected how a step ended, found something else in " + file + ": remove it",
                    unreadable);
        }
    }

    void write(PaperStep step, Path directory) throws IOException {
        OutputFile.write(file(step, directory), JSON.writeValueAsString(this) + "\n");
    }

    private static Path file(PaperStep step, Path directory) {
        return directory.resolve(step.name()).resolve("step.json");
    }
}
