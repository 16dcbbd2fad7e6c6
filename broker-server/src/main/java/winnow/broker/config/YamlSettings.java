package winnow.broker.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// Settings in a YAML file: sections are mappings, `subscription:` with `buffer: 2MiB` below it, or
/// keys have dots. What joins several parts by commas may be a list, what joins pairs a mapping.
/// Values are taken as they are written; nothing makes objects of them.
final class YamlSettings {
    /// Sections in sections, so that an alias that contains itself comes to an end.
    private static final int MAX_DEPTH = 3;

    private final Path file;
    private final SettingSources sources;
    private final Map<String, Integer> lines = new HashMap<>();

    YamlSettings(Path file, SettingSources sources) {
        this.file = file;
        this.sources = sources;
    }

    void read() {
        try {
            Optional<Node> root = YamlDocument.read(file);
            if (root.isEmpty()) {
                return;
            }
            if (root.get() instanceof MappingNode sections) {
                read("", sections);
            } else if (!isEmpty(root.get())) {
                problem(root.get(), "expected sections of settings");
            }
        } catch (IOException e) {
            sources.problem(String.valueOf(e.getMessage()));
        }
    }

    private void read(String prefix, MappingNode mapping) {
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode name)) {
                problem(entry.getKeyNode(), "expected the name of a setting or section");
                continue;
            }
            String key = prefix + name.getValue();
            if (sources.keys().contains(key)) {
                put(key, name, entry.getValueNode());
            } else if (entry.getValueNode() instanceof MappingNode section
                    && key.split("\\.", -1).length <= MAX_DEPTH) {
                read(key + ".", section);
            } else if (!isSection(key)) {
                sources.put(key, "", at(name.getStartMark()));
            } else if (!isEmpty(entry.getValueNode())) {
                problem(entry.getValueNode(), "expected settings below '" + key + "'");
            }
        }
    }

    private boolean isSection(String key) {
        return sources.keys().stream().anyMatch(one -> one.startsWith(key + "."));
    }

    private void put(String key, ScalarNode name, Node value) {
        int line = name.getStartMark().map(Mark::getLine).orElse(0) + 1;
        Integer before = lines.put(key, line);
        if (before != null) {
            problem(name, "'" + key + "' is set on line " + before + ", too");
            return;
        }
        String text = text(value);
        if (text == null) {
            problem(value, key + ": expected a value, found none or too much");
        } else {
            sources.put(key, text, at(name.getStartMark()));
        }
    }

    private static @Nullable String text(Node value) {
        return switch (value) {
            case ScalarNode scalar when isEmpty(scalar) -> null;
            case ScalarNode scalar -> scalar.getValue();
            case SequenceNode list when allScalars(list) ->
                    list.getValue().stream()
                            .map(YamlSettings::text)
                            .collect(Collectors.joining(","));
            case MappingNode pairs when allScalars(pairs) ->
                    pairs.getValue().stream()
                            .map(one -> text(one.getKeyNode()) + "=" + text(one.getValueNode()))
                            .collect(Collectors.joining(","));
            default -> null;
        };
    }

    private static boolean allScalars(SequenceNode list) {
        return list.getValue().stream().allMatch(YamlSettings::isValue);
    }

    private static boolean allScalars(MappingNode pairs) {
        return pairs.getValue().stream()
                .allMatch(one -> isValue(one.getKeyNode()) && isValue(one.getValueNode()));
    }

    private static boolean isValue(Node node) {
        return node instanceof ScalarNode && !isEmpty(node);
    }

    /// Nothing, without quotes around it.
    private static boolean isEmpty(Node node) {
        return node instanceof ScalarNode scalar
                && scalar.isPlain()
                && (scalar.getValue().isEmpty() || scalar.getValue().equals("null"));
    }

    private void problem(Node where, String text) {
        sources.problem(at(where.getStartMark()) + ": " + text);
    }

    private String at(Optional<Mark> mark) {
        return YamlDocument.at(file.toString(), mark);
    }
}
