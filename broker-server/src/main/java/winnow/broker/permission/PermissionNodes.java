package winnow.broker.permission;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import winnow.broker.config.YamlDocument;

/// Takes mappings, lists and texts out of a file of permissions, and notes what is wrong with them.
/// Used by one thread.
final class PermissionNodes {
    /// Nobody reads more.
    private static final int MAX_PROBLEMS = 100;

    /// More than the longest name of anything.
    private static final int MAX_CHARACTERS = 1000;

    private final String source;
    private final List<String> problems = new ArrayList<>();

    /// @param source name of the file
    PermissionNodes(String source) {
        this.source = source;
    }

    /// Line of a node, from 1 on.
    static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }

    void problem(Node where, String text) {
        problem(YamlDocument.at(source, where.getStartMark()) + ": " + text);
    }

    void problem(String text) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(text);
        }
    }

    boolean isRight() {
        return problems.isEmpty();
    }

    /// @throws IOException with a line for each problem, if there is any
    void throwProblems() throws IOException {
        if (!problems.isEmpty()) {
            throw new IOException(String.join("\n", problems));
        }
    }

    /// Entries of a mapping with these keys only.
    ///
    /// @param of what it is, for people
    Map<String, Node> mapping(MappingNode node, List<String> known, String of) {
        Map<String, Node> found = anyMapping(node, of, known.size() + MAX_PROBLEMS);
        Map<String, Node> right = new HashMap<>();
        found.forEach((key, value) -> {
            if (known.contains(key)) {
                right.put(key, value);
            } else {
                problem(
                        value,
                        "expected one of "
                                + String.join(", ", known)
                                + " in "
                                + of
                                + ", found '"
                                + key
                                + "'"
                                + PermissionFile.near(key, known));
            }
        });
        return right;
    }

    /// Entries of a mapping with any keys, in their order.
    Map<String, Node> anyMapping(Node node, String of, int max) {
        Map<String, Node> found = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            problem(node, "expected names with values in " + of);
            return found;
        }
        if (mapping.getValue().size() > max) {
            problem(
                    node,
                    "expected at most "
                            + max
                            + " entries in "
                            + of
                            + ", found "
                            + mapping.getValue().size());
            return found;
        }
        for (NodeTuple entry : mapping.getValue()) {
            String key = text(entry.getKeyNode(), "a name in " + of);
            if (key.isEmpty()) {
                continue;
            }
            Node before = found.putIfAbsent(key, entry.getValueNode());
            if (before != null) {
                problem(
                        entry.getKeyNode(),
                        "expected '" + key + "' once, found it on line " + line(before) + ", too");
            }
        }
        return found;
    }

    /// Entries of a list.
    List<Node> list(Node node, String of, int max) {
        if (!(node instanceof SequenceNode sequence)) {
            problem(node, "expected a list in '" + of + "'");
            return List.of();
        }
        if (sequence.getValue().size() > max) {
            problem(
                    node,
                    "expected at most "
                            + max
                            + " entries in '"
                            + of
                            + "', found "
                            + sequence.getValue().size());
            return List.of();
        }
        return sequence.getValue();
    }

    /// Texts of a list, or the one that stands for a list.
    List<String> texts(Node node, String of, int max) {
        List<String> found = new ArrayList<>();
        if (node instanceof ScalarNode) {
            String only = text(node, of);
            if (!only.isEmpty()) {
                found.add(only);
            }
            return found;
        }
        List<Node> entries = list(node, of, max);
        if (entries.isEmpty() && node instanceof SequenceNode) {
            problem(node, "expected at least one entry in '" + of + "', found none");
        }
        for (Node entry : entries) {
            String one = text(entry, of);
            if (!one.isEmpty()) {
                found.add(one);
            }
        }
        return found;
    }

    private String text(Node node, String of) {
        String text = PermissionFile.text(node);
        if (text.isEmpty() || text.length() > MAX_CHARACTERS) {
            problem(
                    node,
                    "expected a text of 1 to "
                            + MAX_CHARACTERS
                            + " characters in '"
                            + of
                            + "', found "
                            + (text.isEmpty() ? "none" : text.length()));
            return "";
        }
        return text;
    }
}
