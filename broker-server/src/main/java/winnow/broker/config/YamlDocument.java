package winnow.broker.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/// Reads YAML that people write into nodes that know their lines. Values stay as they are written;
/// nothing makes objects of them.
public final class YamlDocument {
    /// Longest file.
    public static final int MAX_BYTES = 1 << 20;

    private static final LoadSettings SAFE =
            LoadSettings.builder()
                    .setCodePointLimit(MAX_BYTES)
                    .setMaxAliasesForCollections(10)
                    .setUseMarks(true)
                    .build();

    private YamlDocument() {}

    /// The root of a file, empty if the file is.
    ///
    /// @throws IOException naming file and line if it cannot be read or is no YAML
    public static Optional<Node> read(Path file) throws IOException {
        return parse(SmallFile.read(file, MAX_BYTES), file.toString());
    }

    /// The root of a text, empty if the text is.
    ///
    /// @param name of the text, for people
    /// @throws IOException naming text and line if it is no YAML
    public static Optional<Node> parse(String text, String name) throws IOException {
        try {
            return new Compose(SAFE).composeString(text);
        } catch (MarkedYamlEngineException e) {
            throw new IOException(
                    at(name, e.getProblemMark()) + ": expected YAML, found: " + e.getProblem(), e);
        } catch (StackOverflowError e) {
            throw new IOException(
                    name + ": expected at most a few sections in sections, found too many", e);
        } catch (YamlEngineException e) {
            throw new IOException(name + ": expected YAML, found: " + e.getMessage(), e);
        }
    }

    /// Place of a node, `file:line`.
    public static String at(String name, Optional<Mark> mark) {
        return mark.map(one -> name + ":" + (one.getLine() + 1)).orElse(name);
    }
}
