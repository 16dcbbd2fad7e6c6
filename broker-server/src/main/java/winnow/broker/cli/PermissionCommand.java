package winnow.broker.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import winnow.broker.config.ConfigReader;
import winnow.broker.permission.Permission;
import winnow.broker.permission.PermissionDecision;
import winnow.broker.permission.PermissionFile;
import winnow.broker.permission.PermissionList;
import winnow.broker.permission.ProtectedKind;
import winnow.cli.Commands;
import winnow.wire.Printable;

/// `winnow permission`: shows what users may do by a file or in a running broker.
@Command(
        name = "winnow permission",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows what users may do: by the permissions of a running broker, or by a file"
                        + " (setting security.permissions) without one.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; of test: allowed",
            "1:no answer, wrong credentials, or a file that is wrong; of test: not allowed",
            "2:wrong usage"
        })
public final class PermissionCommand extends CommandGroup {
    private static final String PERMISSIONS = "permissions";

    private PermissionCommand() {
        super("list or test");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new PermissionCommand());
    }

    /// The option for a file in place of a broker.
    static final class FileOption {
        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "a file of permissions; then no broker is asked")
        private @Nullable Path file;
    }

    @Command(description = "Lists groups and rules with their lines.")
    int list(@Mixin FileOption offline, @Mixin BrokerAccess access) throws IOException {
        Path file = offline.file;
        JsonNode found =
                file == null
                        ? access.client().ask("GET", Map.of(), PERMISSIONS)
                        : SelectorCommand.JSON.valueToTree(
                                PermissionList.of(PermissionFile.read(file)));
        return print(access, found, () -> printAll(found));
    }

    private void printAll(JsonNode found) {
        String source = found.path("source").asText();
        if (source.isEmpty()) {
            out().println("there is no security.permissions: every user may do everything");
            return;
        }
        out().println(Printable.line(source));
        for (JsonNode group : found.path("groups")) {
            out().printf(
                            "%5d  group %s: %s%n",
                            group.path("line").asInt(),
                            Printable.line(group.path("name").asText()),
                            joined(group.path("members")));
        }
        for (JsonNode rule : found.path("rules")) {
            StringBuilder on = new StringBuilder();
            rule.path("on")
                    .properties()
                    .forEach(entry ->
                            on.append("; ")
                                    .append(entry.getKey())
                                    .append(' ')
                                    .append(joined(entry.getValue())));
            out().printf(
                            "%5d  %s may %s%s%n",
                            rule.path("line").asInt(),
                            joined(rule.path("who")),
                            joined(rule.path("may")),
                            on);
        }
    }

    private static String joined(JsonNode texts) {
        List<String> all =
                SelectorCommand.JSON.convertValue(texts, new TypeReference<List<String>>() {});
        return Printable.line(String.join(", ", all));
    }

    @Command(
            description = {
                "Says whether a user may do something, and which line of the file allows it.",
                "Example: winnow permission test ann send queue orders-7"
            })
    int test(
            @Parameters(paramLabel = "USER", description = "name of the user") String user,
            @Parameters(
                            paramLabel = "OPERATION",
                            description =
                                    "send, receive, browse, subscribe, create, delete, temporary,"
                                            + " identify, view, edit, decide or admin")
                    String operation,
            @Parameters(
                            paramLabel = "KIND",
                            arity = "0..1",
                            defaultValue = "broker",
                            description = "queue, topic, subscription, client, or broker (default)")
                    String kind,
            @Parameters(
                            paramLabel = "NAME",
                            arity = "0..1",
                            defaultValue = "",
                            description = "of the queue, topic, subscription or client")
                    String name,
            @Mixin Target target)
            throws IOException {
        Path file = target.offline.file;
        PermissionDecision.Question question = question(operation, kind, name, target.client);
        JsonNode decision =
                file == null
                        ? ask(target, user, question)
                        : SelectorCommand.JSON.valueToTree(
                                PermissionDecision.of(
                                        PermissionFile.read(file),
                                        user,
                                        target.groups(),
                                        question));
        boolean allowed = decision.path("allowed").asBoolean();
        int code =
                print(
                        target.access,
                        decision,
                        () ->
                                out().println(
                                                (allowed ? "allowed: " : "not allowed: ")
                                                        + Printable.line(
                                                                decision.path("reason").asText())));
        return allowed ? code : CommandLine.ExitCode.SOFTWARE;
    }

    /// Place of the permissions, a file or a running broker, and the client that would ask.
    static final class Target {
        @Option(
                names = "--client",
                paramLabel = "ID",
                defaultValue = "",
                description = "identifier of the client that would ask")
        private String client = "";

        @Option(
                names = "--group",
                paramLabel = "GROUP",
                defaultValue = "",
                description = "a group that others say the user is in, such as ldap:cn=desk")
        private String group = "";

        @Mixin private final FileOption offline = new FileOption();
        @Mixin private final BrokerAccess access = new BrokerAccess();

        Set<String> groups() {
            return group.isEmpty() ? Set.of() : Set.of(group);
        }
    }

    private static PermissionDecision.Question question(
            String operation, String kind, String name, String client) {
        return new PermissionDecision.Question(
                (Permission) ConfigReader.parseEnum(Permission.class, operation),
                (ProtectedKind) ConfigReader.parseEnum(ProtectedKind.class, kind),
                name,
                client);
    }

    private static JsonNode ask(Target target, String user, PermissionDecision.Question question)
            throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        parameters.put("operation", question.operation().text());
        parameters.put("kind", question.kind().text());
        parameters.put("name", question.name());
        parameters.put("client", question.client());
        parameters.put("group", target.group);
        return target.access.client().ask("GET", parameters, PERMISSIONS, "test");
    }
}
