package winnow.broker.permission;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import winnow.broker.config.NearestKeys;
import winnow.broker.config.SmallFile;
import winnow.broker.config.YamlDocument;

/// Reads a file of permissions: `groups` and `rules`. All of it is right, or it is refused with the
/// lines that are wrong. Used by one thread.
public final class PermissionFile {
    /// In `who`: every user.
    public static final String EVERYBODY = "*";

    private static final String LDAP = "ldap:";

    /// Prefixes of groups whose members others know.
    private static final List<String> FOREIGN = List.of("oidc:", LDAP, "certificate:");

    private static final int MAX_RULES = 1000;
    private static final int MAX_GROUPS = 1000;

    /// Of a list, and of all members of groups.
    private static final int MAX_ENTRIES = 50_000;

    private static final String GROUPS = "groups";
    private static final String RULES = "rules";
    private static final String WHO = "who";
    private static final String MAY = "may";

    private static final List<ProtectedKind> WITH_PATTERNS =
            Arrays.stream(ProtectedKind.values())
                    .filter(kind -> kind != ProtectedKind.BROKER)
                    .toList();

    private static final Map<String, Permission> OPERATIONS =
            Arrays.stream(Permission.values())
                    .collect(
                            Collectors.toMap(
                                    Permission::text,
                                    one -> one,
                                    (one, _) -> one,
                                    LinkedHashMap::new));

    private final PermissionNodes nodes;
    private final Map<String, PermissionGroup> groups = new LinkedHashMap<>();
    private final List<PermissionRule> rules = new ArrayList<>();

    private PermissionFile(String source) {
        this.nodes = new PermissionNodes(source);
    }

    /// Reads a file.
    ///
    /// @throws IOException naming file and lines, a line each for what is wrong
    public static Permissions read(Path file) throws IOException {
        return parse(SmallFile.read(file, YamlDocument.MAX_BYTES), file.toString());
    }

    /// Reads a text.
    ///
    /// @param source name of the text, for people
    /// @throws IOException naming it and lines, a line each for what is wrong
    public static Permissions parse(String text, String source) throws IOException {
        Optional<Node> root = YamlDocument.parse(text, source);
        PermissionFile file = new PermissionFile(source);
        if (root.isPresent() && root.get() instanceof MappingNode sections) {
            file.readSections(sections);
        } else {
            file.nodes.problem(
                    source
                            + ":1: expected 'groups' and 'rules', found "
                            + (root.isPresent() ? "something else" : "nothing"));
        }
        file.nodes.throwProblems();
        return new Permissions(source, List.copyOf(file.groups.values()), file.rules);
    }

    /// True if it is the name of a group that others know, such as `ldap:cn=desk`.
    public static boolean isForeign(String name) {
        return FOREIGN.stream().anyMatch(name::startsWith);
    }

    /// The group as it is written here. The name of an entry of a directory can be written in
    /// capitals, and with blanks between its parts.
    public static String normal(String name) {
        if (!name.startsWith(LDAP)) {
            return name;
        }
        try {
            return LDAP + DN.normalize(name.substring(LDAP.length()));
        } catch (LDAPException _) {
            return name;
        }
    }

    private static List<String> normal(List<String> names) {
        return names.stream().map(PermissionFile::normal).toList();
    }

    private void readSections(MappingNode sections) {
        Map<String, Node> found = nodes.mapping(sections, List.of(GROUPS, RULES), "the file");
        Node ofGroups = found.get(GROUPS);
        if (ofGroups != null) {
            readGroups(ofGroups);
        }
        Node ofRules = found.get(RULES);
        if (ofRules == null) {
            nodes.problem(sections, "expected 'rules', found none: nobody could do anything");
            return;
        }
        List<Node> all = nodes.list(ofRules, "rules", MAX_RULES);
        all.forEach(this::readRule);
        if (nodes.isRight()) {
            requireAdmin(ofRules);
        }
    }

    private void readGroups(Node node) {
        Map<String, Node> found = nodes.anyMapping(node, "groups", MAX_GROUPS);
        int members = 0;
        for (Map.Entry<String, Node> entry : found.entrySet()) {
            String name = entry.getKey();
            Node list = entry.getValue();
            if (name.equals(EVERYBODY) || isForeign(name)) {
                nodes.problem(list, "expected a name of a group, found '" + name + "'");
                continue;
            }
            List<String> names = nodes.texts(list, "the group '" + name + "'", MAX_ENTRIES);
            for (String member : names) {
                if (found.containsKey(member) || member.equals(EVERYBODY)) {
                    nodes.problem(
                            list,
                            "expected users and groups of others such as ldap:cn=desk in the group"
                                    + " '%s', found '%s': a group has no groups of this file"
                                            .formatted(name, member));
                }
            }
            members += names.size();
            groups.put(name, new PermissionGroup(name, PermissionNodes.line(list), normal(names)));
        }
        if (members > MAX_ENTRIES) {
            nodes.problem(
                    node,
                    "expected at most " + MAX_ENTRIES + " members of groups, found " + members);
        }
    }

    private void readRule(Node node) {
        List<String> keys = new ArrayList<>(List.of(WHO, MAY));
        WITH_PATTERNS.forEach(kind -> keys.add(kind.key()));
        if (!(node instanceof MappingNode mapping)) {
            nodes.problem(node, "expected a rule with 'who' and 'may'");
            return;
        }
        Map<String, Node> found = nodes.mapping(mapping, keys, "a rule");
        Node whoNode = found.get(WHO);
        Node mayNode = found.get(MAY);
        if (whoNode == null || mayNode == null) {
            nodes.problem(
                    node,
                    "expected '" + (whoNode == null ? WHO : MAY) + "' in the rule, found none");
            return;
        }
        List<String> who = nodes.texts(whoNode, WHO, MAX_ENTRIES);
        Set<Permission> may = operations(mayNode);
        Map<ProtectedKind, ObjectPatterns> on = new EnumMap<>(ProtectedKind.class);
        for (ProtectedKind kind : WITH_PATTERNS) {
            Node patterns = found.get(kind.key());
            if (patterns != null) {
                on.put(kind, patterns(kind, patterns, may));
            }
        }
        checkObjects(mayNode, may, on);
        if (!who.isEmpty() && !may.isEmpty()) {
            rules.add(new PermissionRule(PermissionNodes.line(node), normal(who), may, on));
        }
    }

    private Set<Permission> operations(Node node) {
        Set<Permission> found = EnumSet.noneOf(Permission.class);
        for (String text : nodes.texts(node, MAY, MAX_ENTRIES)) {
            Permission operation = OPERATIONS.get(text);
            if (operation == null) {
                nodes.problem(
                        node,
                        "expected one of "
                                + String.join(", ", OPERATIONS.keySet())
                                + " in 'may', found '"
                                + text
                                + "'"
                                + near(text, OPERATIONS.keySet()));
            } else {
                found.add(operation);
            }
        }
        return found;
    }

    static String near(String text, Collection<String> known) {
        return NearestKeys.suggestion(text, known, one -> one);
    }

    private ObjectPatterns patterns(ProtectedKind kind, Node node, Set<Permission> may) {
        List<String> texts = nodes.texts(node, kind.key(), MAX_ENTRIES);
        for (String text : texts) {
            checkVariables(kind, node, text);
        }
        if (!may.isEmpty() && may.stream().noneMatch(one -> one.isAbout(kind))) {
            nodes.problem(
                    node,
                    "expected no '%s' in the rule: none of its operations is about %s; %s are"
                            .formatted(
                                    kind.key(),
                                    kind.key(),
                                    OPERATIONS.values().stream()
                                            .filter(one -> one.isAbout(kind))
                                            .map(Permission::text)
                                            .collect(Collectors.joining(", "))));
        }
        return ObjectPatterns.of(texts);
    }

    private void checkVariables(ProtectedKind kind, Node node, String text) {
        int at = text.indexOf("${");
        while (at >= 0) {
            String rest = text.substring(at);
            boolean known =
                    rest.startsWith(ObjectPatterns.USER)
                            || (rest.startsWith(ObjectPatterns.CLIENT)
                                    && kind != ProtectedKind.CLIENT);
            if (!known) {
                int end = rest.indexOf('}');
                nodes.problem(
                        node,
                        "expected no variable but %s in '%s', found '%s'"
                                .formatted(
                                        kind == ProtectedKind.CLIENT
                                                ? ObjectPatterns.USER
                                                : ObjectPatterns.USER
                                                        + " and "
                                                        + ObjectPatterns.CLIENT,
                                        kind.key(),
                                        end < 0 ? rest : rest.substring(0, end + 1)));
                return;
            }
            at = text.indexOf("${", at + 1);
        }
    }

    /// Each operation needs an object.
    private void checkObjects(
            Node node, Set<Permission> may, Map<ProtectedKind, ObjectPatterns> on) {
        for (Permission operation : may) {
            boolean hasObject =
                    operation.isAbout(ProtectedKind.BROKER)
                            || operation.kinds().stream().anyMatch(on::containsKey);
            if (!hasObject) {
                nodes.problem(
                        node,
                        "expected %s in the rule, which '%s' is about, found none"
                                .formatted(
                                        operation.kinds().stream()
                                                .map(kind -> "'" + kind.key() + "'")
                                                .collect(Collectors.joining(" or ")),
                                        operation.text()));
            }
        }
    }

    /// Nobody could put things right again. Of groups of others it is not known who is in them.
    private void requireAdmin(Node node) {
        Map<String, List<String>> members = new HashMap<>();
        groups.forEach((name, group) -> members.put(name, group.members()));
        List<String> administrators =
                rules.stream()
                        .filter(rule -> rule.may().contains(Permission.ADMIN))
                        .flatMap(rule -> rule.who().stream())
                        .flatMap(who -> members.getOrDefault(who, List.of(who)).stream())
                        .toList();
        if (administrators.stream().allMatch(PermissionFile::isForeign)) {
            nodes.problem(
                    node,
                    "expected a rule that gives somebody 'admin', found "
                            + (administrators.isEmpty() ? "none" : "groups of others only")
                            + ": nobody could change settings or users of the running broker");
        }
    }

    /// The text of a scalar.
    static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }
}
