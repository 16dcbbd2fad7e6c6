package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import winnow.broker.config.FileProblem;
import winnow.broker.config.PrivateFile;
import winnow.broker.security.LastUser;
import winnow.broker.security.UserFile;
import winnow.broker.security.UserFileWriter;
import winnow.cli.Commands;
import winnow.wire.Printable;

/// `winnow user`: shows and changes the users of a running broker or of a user file. Without a
/// command it adds a user to a file, or prints the line for one.
@Command(
        name = "winnow user",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        description = {
            "Shows and changes the users of a running broker, or of a user file (setting"
                    + " security.users) with --file behind the command.",
            "With a NAME in place of a command it adds that user to --file, or gives it a new"
                    + " password; without --file it prints the line of the file.",
            "A new password is asked for on a terminal, else read as the first line of the input.",
            "The file keeps a salted verifier of it (SCRAM-SHA-256), not the password."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no answer, refused, or the file cannot be read or written",
            "2:wrong usage"
        })
public final class UserCommand extends CommandGroup {
    private static final String USERS = "users";

    private static final String NOT_YET =
            "; a running broker takes it at SIGHUP or POST /api/v1/reload";

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "name of a user to be written to --file")
    private @Nullable String name;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "the user file; made if it is not there, readable by its owner only")
    private @Nullable Path file;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "a file whose first line is the password")
    private @Nullable Path passwordFile;

    private UserCommand() {
        super("list, add, password or remove, or the name of a user");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new UserCommand());
    }

    /// Writes the line of a user, where there is no command.
    @Override
    public Integer call() throws IOException {
        String user = name;
        if (user == null) {
            return super.call();
        }
        UserFile.requireName(user);
        String password = PasswordInput.read(passwordFile, "--password-file");
        Path users = file;
        if (users == null) {
            out().println(UserFile.line(user, password));
            return CommandLine.ExitCode.OK;
        }
        warnOfOthers(users);
        try {
            UserFileWriter.put(users, user, password);
        } catch (IOException e) {
            throw unusable(users, e);
        }
        out().println("user '" + user + "' written to " + users + NOT_YET);
        return CommandLine.ExitCode.OK;
    }

    /// Refuses a file that others can change, and warns of a directory of somebody else's where
    /// they can replace it.
    private void warnOfOthers(Path users) throws IOException {
        String warning = PrivateFile.requireNotReplaceableByOthers(users);
        if (!warning.isEmpty()) {
            err().println("winnow user: warning: " + warning);
            err().flush();
        }
    }

    private static IOException unusable(Path users, IOException failure) {
        return new IOException("--file " + FileProblem.of(users, failure).getMessage(), failure);
    }

    @Command(
            description = {
                "Lists the names of users. A broker lists those of its file.",
                "Example: winnow user list --user root --password-file root.pw"
            })
    int list(@Mixin ListOptions options, @Mixin UserPlace place, @Mixin BrokerAccess access)
            throws IOException {
        Path users = place.file();
        JsonNode found =
                users == null
                        ? options.read(access.client(), USERS)
                        : listed(options.pick(UserFile.read(users).names().stream().sorted()));
        String none = options.takesAllNames() ? "there is no user file (security.users)" : "none";
        return print(access, found, () -> printAll(found, none));
    }

    private static ArrayNode listed(Stream<String> names) {
        ArrayNode all = SelectorCommand.JSON.createArrayNode();
        names.forEach(each -> all.addObject().put("name", each));
        return all;
    }

    /// @param none printed if there are none
    private void printAll(JsonNode found, String none) {
        if (found.isEmpty()) {
            out().println(none);
        }
        found.forEach(one -> out().println(Printable.line(one.path("name").asText())));
    }

    @Command(
            description = {
                "Adds a user, who must not be there yet. A running broker takes it at once.",
                "Example: winnow user add ann --new-password-file ann.pw --user root"
            })
    int add(
            @Parameters(paramLabel = "NAME", description = "name of the user") String user,
            @Mixin NewPasswordOption newPassword,
            @Mixin UserPlace place,
            @Mixin BrokerAccess access)
            throws IOException {
        return write(user, newPassword, new Target(place.file(), access), true);
    }

    @Command(
            description = {
                "Gives a user a new password. A running broker ends the user's connections.",
                "Example: winnow user password ann --new-password-file ann.pw --user root"
            })
    int password(
            @Parameters(paramLabel = "NAME", description = "name of the user") String user,
            @Mixin NewPasswordOption newPassword,
            @Mixin UserPlace place,
            @Mixin BrokerAccess access)
            throws IOException {
        return write(user, newPassword, new Target(place.file(), access), false);
    }

    /// The option for a file with the password that is to be set.
    static final class NewPasswordOption {
        @Option(
                names = "--new-password-file",
                paramLabel = "FILE",
                description = {
                    "a file whose first line is the password to be set; without it the terminal or"
                            + " the first line of the input"
                })
        private @Nullable Path file;

        String read() throws IOException {
            String password = PasswordInput.read(file, "--new-password-file");
            UserFile.requirePassword(password);
            return password;
        }
    }

    /// Place of the users, and the options of a running broker.
    ///
    /// @param file null for a running broker
    private record Target(@Nullable Path file, BrokerAccess access) {}

    private int write(String user, NewPasswordOption newPassword, Target target, boolean adds)
            throws IOException {
        UserFile.requireName(user);
        String password = newPassword.read();
        Path users = target.file;
        String done = adds ? "added user '" : "set the password of user '";
        if (users == null) {
            JsonNode answer =
                    target.access
                            .client()
                            .put(
                                    SelectorCommand.JSON
                                            .createObjectNode()
                                            .put("password", password),
                                    Map.entry(adds ? "If-None-Match" : "If-Match", "*"),
                                    USERS,
                                    user);
            return print(target.access, answer, () -> tell(done, user, answer));
        }
        change(
                users,
                () -> {
                    if (!adds || Files.exists(users)) {
                        UserFileWriter.Written _ =
                                UserFileWriter.put(
                                        users, user, password, before -> check(before, user, adds));
                        return true;
                    }
                    return UserFileWriter.create(users, user, password);
                });
        return tellFile(target, done, user);
    }

    /// A change of a file.
    @FunctionalInterface
    private interface UserFileWork {
        /// @return false if somebody else was faster
        boolean run() throws IOException;
    }

    private void change(Path users, UserFileWork work) throws IOException {
        warnOfOthers(users);
        try {
            boolean done = false;
            while (!done) {
                done = work.run();
            }
        } catch (FileSystemException | CharacterCodingException e) {
            throw unusable(users, e);
        }
    }

    private static void check(UserFile before, String user, boolean adds) throws IOException {
        if (adds && before.has(user)) {
            throw new IOException(
                    "there is user '%s' already; 'winnow user password' sets a new password"
                            .formatted(Printable.of(user)));
        }
        if (!adds && !before.has(user)) {
            throw new IOException(
                    "there is no user '%s'; 'winnow user list' shows those that are there, 'winnow"
                                    .formatted(Printable.of(user))
                            + " user add' adds one");
        }
    }

    @Command(
            description = {
                "Removes a user. A running broker ends the user's connections, and keeps the last"
                        + " user of the file who may 'admin'.",
                "Example: winnow user remove ann --yes --user root"
            })
    int remove(
            @Parameters(paramLabel = "NAME", description = "name of the user") String user,
            @Mixin Confirmation confirmation,
            @Mixin UserPlace place,
            @Mixin BrokerAccess access)
            throws IOException {
        Path users = place.file();
        if (!confirmation.given("remove user '" + user + "'")) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (users == null) {
            JsonNode answer = access.client().ask("DELETE", Map.of(), USERS, user);
            return print(access, answer, () -> tell("removed user '", user, answer));
        }
        change(
                users,
                () -> {
                    UserFileWriter.Written _ =
                            UserFileWriter.remove(
                                    users, user, before -> checkRemoval(before, user));
                    return true;
                });
        return tellFile(new Target(users, access), "removed user '", user);
    }

    private static void checkRemoval(UserFile before, String user) throws IOException {
        check(before, user, false);
        String reason = LastUser.reason(before, user, null);
        if (!reason.isEmpty()) {
            throw new IOException(reason);
        }
    }

    private void tell(String done, String user, JsonNode answer) {
        List<String> ended = answer.path("ended").valueStream().map(JsonNode::asText).toList();
        out().println(
                        done
                                + Printable.of(user)
                                + "'"
                                + (ended.isEmpty()
                                        ? ""
                                        : "; connections that have ended: "
                                                + String.join(", ", ended)));
    }

    private int tellFile(Target target, String done, String user) {
        ObjectNode answer = SelectorCommand.JSON.createObjectNode().put("name", user);
        answer.put("file", String.valueOf(target.file));
        return print(
                target.access,
                answer,
                () -> out().println(done + Printable.of(user) + "' in " + target.file + NOT_YET));
    }
}
