package winnow.cli;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Answers a wrong command line with two lines: what is wrong, and what was probably meant or where
/// the help is.
public final class UsageErrors implements IParameterExceptionHandler {

    private static final String URL_OPTION = "--url";

    /// Names that other tools give the option for the broker's address.
    private static final Set<String> OTHER_WORDS_FOR_URL =
            Set.of("--broker", "--broker-url", "--host", "--address", "--server");

    @Override
    public int handleParseException(ParameterException error, String[] arguments) {
        var command = error.getCommandLine();
        var name = command.getCommandSpec().qualifiedName();
        var wrong =
                error instanceof UnmatchedArgumentException unmatched
                        ? firstWrong(command.getCommandSpec(), unmatched.getUnmatched())
                        : "";
        var suggestion = suggestion(command.getCommandSpec(), wrong);
        var err = command.getErr();
        err.println(name + ": " + message(error, wrong));
        err.println(
                suggestion.map(meant -> "Did you mean '" + meant + "'? ").orElse("")
                        + "See '"
                        + name
                        + " --help'.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    /// The word that is no command where one belongs, whose options are not known either; else the
    /// first that looks like an option: what comes before or after it may be its value.
    private static String firstWrong(CommandSpec spec, List<String> unmatched) {
        if (hasCommands(spec) && !isOption(unmatched.getFirst())) {
            return unmatched.getFirst();
        }
        return unmatched.stream()
                .filter(UsageErrors::isOption)
                .map(option -> option.split("=", 2)[0])
                .findFirst()
                .orElse(unmatched.getFirst());
    }

    private static boolean isOption(String argument) {
        return argument.startsWith("-");
    }

    private static String message(ParameterException error, String wrong) {
        if (wrong.isEmpty()) {
            // Picocli says it twice of an option with a map.
            var message = String.valueOf(error.getMessage()).replace("option option ", "option ");
            return Character.toLowerCase(message.charAt(0)) + message.substring(1);
        }
        if (isOption(wrong)) {
            return "unknown option '" + wrong + "'";
        }
        return hasCommands(error.getCommandLine().getCommandSpec())
                ? "unknown command '" + wrong + "'"
                : "unexpected argument '" + wrong + "'";
    }

    private static boolean hasCommands(CommandSpec spec) {
        return !spec.subcommands().isEmpty();
    }

    private static Optional<String> suggestion(CommandSpec spec, String wrong) {
        if (wrong.isEmpty()) {
            return Optional.empty();
        }
        var known = known(spec, wrong);
        return OTHER_WORDS_FOR_URL.contains(wrong) && known.contains(URL_OPTION)
                ? Optional.of(URL_OPTION)
                : Nearest.to(wrong, known);
    }

    private static Collection<String> known(CommandSpec spec, String wrong) {
        return isOption(wrong)
                ? spec.options().stream()
                        .filter(option -> !option.hidden())
                        .flatMap(option -> Stream.of(option.names()))
                        .toList()
                : spec.subcommands().keySet();
    }
}
