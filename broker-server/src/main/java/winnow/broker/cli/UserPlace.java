package winnow.broker.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Place of the users that a command is about: a file, or without one a running broker.
final class UserPlace {
    private static final String FILE = "--file";
    private static final List<String> OF_BROKER =
            List.of("--url", "--socket", "--user", "--password-file", "--password", "--token-file");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = FILE,
            paramLabel = "FILE",
            description = "a user file (security.users); then no broker is asked")
    private @Nullable Path file;

    /// The user file, null for a running broker.
    ///
    /// @throws ParameterException if options for both were given, or the file before the command
    @Nullable Path file() {
        CommandLine group = spec.commandLine().getParent();
        if (group != null && group.getParseResult().hasMatchedOption(FILE)) {
            throw wrong("expected --file behind '%s', found it before".formatted(spec.name()));
        }
        for (String option : OF_BROKER) {
            if (file != null && spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong(
                        "expected either a user file or options of a running broker, found --file"
                                + " and "
                                + option
                                + (option.startsWith("--password")
                                        ? "; --new-password-file has the password to be set"
                                        : ""));
            }
        }
        return file;
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
