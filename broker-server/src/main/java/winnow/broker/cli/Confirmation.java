package winnow.broker.cli;

import java.io.Console;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Asks before something is removed that cannot be brought back.
final class Confirmation {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--yes", description = "does not ask; necessary where nobody can answer")
    private boolean yes;

    /// Asks on the terminal, unless `--yes` was given.
    ///
    /// @param question without its question mark
    /// @return whether to go on
    /// @throws ParameterException if there is no terminal
    boolean given(String question) {
        if (yes) {
            return true;
        }
        Console console = terminal();
        if (console == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "expected --yes, because there is no terminal to ask: "
                            + question
                            + "? Nothing was changed.");
        }
        String answer = console.readLine("%s? [y/N] ", question);
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    }

    @SuppressWarnings("SystemConsoleNull") // the JDK's annotations still say that it may be null
    private static @Nullable Console terminal() {
        Console console = System.console();
        return console != null && console.isTerminal() ? console : null;
    }
}
