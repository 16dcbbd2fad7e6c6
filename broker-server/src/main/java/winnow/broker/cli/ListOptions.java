package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import winnow.broker.config.NamePattern;

/// Options for the entries of a list that are wanted.
final class ListOptions {
    /// Entries of one answer.
    private static final int PAGE = 1000;

    @Option(
            names = "--name",
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "only those whose name this fits; * stands for any text")
    private String name = "";

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            defaultValue = "0",
            description = "so many at most, the first ones (default: all)")
    private int limit;

    /// The wanted entries of a list of the API.
    ///
    /// @throws IllegalArgumentException if the limit is negative
    /// @throws IOException saying what is wrong, if there is no answer or it is a refusal
    JsonNode read(AdminClient client, String... segments) throws IOException {
        requireLimit();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("name", name);
        parameters.put("limit", String.valueOf(limit == 0 ? PAGE : Math.min(PAGE, limit)));
        return client.list(parameters, most(), segments);
    }

    private void requireLimit() {
        if (limit < 0) {
            throw new IllegalArgumentException("--limit: expected at least 0, found " + limit);
        }
    }

    private int most() {
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }

    /// The wanted names of a list that no broker is asked for.
    ///
    /// @throws IllegalArgumentException if the limit is negative
    Stream<String> pick(Stream<String> names) {
        requireLimit();
        NamePattern wanted = new NamePattern(name.isEmpty() ? "*" : name);
        return names.filter(wanted::fits).limit(most());
    }

    /// True if all names are wanted.
    boolean takesAllNames() {
        return name.isEmpty();
    }
}
