package winnow.loadgen;

import java.util.Locale;
import winnow.cli.Commands;
import winnow.loadgen.command.CommandTree;

/// Entry point of `winnow load`, `winnow demo`, `winnow pub` and `winnow sub`.
///
/// Exit codes: 0 done, 1 failed with a message, 2 misused.
public final class Main {
    private Main() {}

    static void main(String... arguments) {
        // Figures are printed the same way everywhere.
        Locale.setDefault(Locale.ROOT);
        plainLog();
        System.exit(Commands.run(CommandTree.commandLine(), arguments));
    }

    /// Warnings of the client are for people here: `WARN` and the text.
    private static void plainLog() {
        System.setProperty("org.slf4j.simpleLogger.showThreadName", "false");
        System.setProperty("org.slf4j.simpleLogger.showLogName", "false");
    }
}
