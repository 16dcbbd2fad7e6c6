package winnow.loadgen;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.RefusedUrlException;

/// Entry point of `winnow load`, `winnow demo`, `winnow pub` and `winnow sub`.
///
/// Exit codes: 0 done, 1 failed with a message, 2 misused.
@Command(
        name = "winnow",
        description = "Measures and exercises Jakarta Messaging brokers.",
        subcommands = {LoadCommand.class, DemoCommand.class, PubCommand.class, SubCommand.class})
public final class Main {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    private Main() {}

    static void main(String... arguments) {
        // Figures are printed the same way everywhere.
        Locale.setDefault(Locale.ROOT);
        // Unlike picocli's, this writer tells that nobody reads standard output any more.
        var out = new PrintWriter(System.out, true, System.out.charset());
        System.exit(commandLine().setOut(out).execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((misused, arguments) -> {
                    var command = misused.getCommandLine();
                    var name = command.getCommandSpec().qualifiedName();
                    command.getErr().println("winnow: " + misused.getMessage());
                    command.getErr().println("See '" + name + " --help'.");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failed, command, parsed) -> {
                    command.getErr().println("winnow: " + Failures.describe(failed));
                    command.getErr().flush();
                    return isMisuse(failed)
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                });
    }

    /// Whether the provider refused what the command line names.
    private static boolean isMisuse(Exception failed) {
        return failed instanceof InvalidSelectorException
                || failed instanceof InvalidDestinationException
                || failed instanceof RefusedUrlException;
    }
}
