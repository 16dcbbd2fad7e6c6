package winnow.loadgen.command;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One command of `winnow load paper`, as `paper.json` lists them. Immutable.
///
/// @param name unlike any other; also of the directory that gets its results
/// @param part of the page
/// @param broker true if the command needs a broker that is there
/// @param quickSeconds about how long it takes in its quick form
/// @param fullSeconds about how long it takes else
/// @param title for people
/// @param command subcommand of `winnow load` and its arguments
/// @param quick more arguments of the quick form
/// @param full more arguments of the other one
record PaperStep(
        String name,
        PagePart part,
        boolean broker,
        int quickSeconds,
        int fullSeconds,
        String title,
        String command,
        String quick,
        String full) {

    /// Part of the page, with the file that each of its commands writes.
    enum PagePart {
        THROUGHPUT("points.jsonl"),
        WAITING("rate.json"),
        ROUND_TRIPS("round-trips.json"),
        PEERS("peers.json"),
        INTERVALS("rate.json");

        private final String file;

        PagePart(String file) {
            this.file = file;
        }
    }

    /// All of them, in their order.
    static List<PaperStep> all() {
        try (var file = PaperStep.class.getResourceAsStream("paper.json")) {
            if (file == null) {
                throw new IllegalStateException("resource missing: paper.json");
            }
            return new ObjectMapper().readValue(file, new TypeReference<>() {});
        } catch (IOException unreadable) {
            throw new UncheckedIOException("paper.json", unreadable);
        }
    }

    /// True for its name, or for that of the scenario that it measures in one of several ways.
    boolean isNamed(String given) {
        return name.equals(given) || List.of(given + "-linear", given + "-indexed").contains(name);
    }

    /// Results, below the directory of all steps.
    Path results(Path directory) {
        return directory.resolve(name).resolve(part.file);
    }

    /// About how long it takes.
    int seconds(boolean isFull) {
        return isFull ? fullSeconds : quickSeconds;
    }

    /// Arguments of `winnow`.
    ///
    /// @param directory of all steps
    /// @param brokerArguments for commands that measure a broker, given to those that need one
    List<String> arguments(boolean isFull, Path directory, List<String> brokerArguments) {
        var arguments = new ArrayList<>(List.of("load"));
        arguments.addAll(words(command));
        arguments.addAll(words(isFull ? full : quick));
        if (broker) {
            arguments.addAll(brokerArguments);
        }
        arguments.addAll(List.of("--out", directory.resolve(name).toString()));
        return arguments;
    }

    /// True if the command is `winnow load run`, which asks the broker's process and its metrics.
    boolean isRun() {
        return part == PagePart.THROUGHPUT;
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s  %s", name, title);
    }
}
