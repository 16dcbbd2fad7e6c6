package winnow.broker.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Place of the users that a command is about: a file, or without one a running broker.
final class UserPlace {
    private static final List<String> OF_BROKER =
            List.of("--url", "--user", "--password-file", "--password");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "a user file (security.users); then no broker is asked")
    private @Nullable Path file;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "the same for the file 'users' of DIR, as 'winnow broker --data DIR'")
    private @Nullable Path data;

    /// The user file, null for a running broker.
    ///
    /// @throws ParameterException if options for both were given
    @Nullable Path file() {
        if (file == null && data == null) {
            return null;
        }
        if (file != null && data != null) {
            throw wrong("expected --file or --data, found both");
        }
        for (String option : OF_BROKER) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong(
                        "expected either a user file or options of a running broker, found "
                                + (data == null ? "--file" : "--data")
                                + " and "
                                + option
                                + (option.startsWith("--password")
                                        ? "; --new-password-file has the password to be set"
                                        : ""));
            }
        }
        return data == null ? file : data.resolve("users");
    }

    /// Demands a file for an option that makes no sense without one.
    ///
    /// @throws ParameterException if a running broker is meant
    void requireFile(String option) {
        if (file() == null) {
            throw wrong(
                    "expected "
                            + option
                            + " with --file or --data only, because a running broker knows its"
                            + " own");
        }
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
