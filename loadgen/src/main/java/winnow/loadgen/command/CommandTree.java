package winnow.loadgen.command;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import winnow.cli.UsageErrors;
import winnow.loadgen.message.PubCommand;
import winnow.loadgen.message.SubCommand;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.RefusedUrlException;

/// The commands of the load generator: `winnow load`, `winnow demo`, `winnow pub` and `winnow sub`.
///
/// Exit codes: 0 done, 1 failed with a message, 2 misused.
@Command(
        name = "winnow",
        description = "Measures and exercises Jakarta Messaging brokers.",
        subcommands = {
            LoadCommand.class,
            DemoCommand.class,
            PubCommand.class,
            SubCommand.class,
            RehearsalCommand.class
        })
public final class CommandTree {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    private static final String NOBODY_THERE =
            "Is the broker running? './winnow broker' starts one; --url or WINNOW_URL names"
                    + " another.";

    private static final String WITHOUT_USER =
            "Give --user and --password-file, or $WINNOW_USER and $WINNOW_PASSWORD.";

    private final @Nullable Supplier<String> farewell;

    private CommandTree(@Nullable Supplier<String> farewell) {
        this.farewell = farewell;
    }

    /// The commands, for one call of [CommandLine#execute].
    public static CommandLine commandLine() {
        return commandLine(null);
    }

    /// For a command that runs others.
    ///
    /// @param farewell text for when a run is stopped, instead of what `load run` says; null for
    ///   that
    static CommandLine commandLine(@Nullable Supplier<String> farewell) {
        return new CommandLine(new CommandTree(farewell))
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((failed, command, parsed) -> {
                    var err = command.getErr();
                    err.print(ReceivedText.visibleLines("winnow: " + Failures.describe(failed)));
                    if (Failures.isNobodyThere(failed)) {
                        err.println(NOBODY_THERE);
                    } else if (Failures.isWithoutUser(failed)) {
                        err.println(WITHOUT_USER);
                    }
                    err.flush();
                    return isMisuse(failed, command.getCommand())
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                });
    }

    /// Text for when a run is stopped; null for that of `load run`.
    @Nullable Supplier<String> farewell() {
        return farewell;
    }

    /// True if the command line names what cannot be, as the provider or its options find. Commands
    /// that measure check what was typed before they begin: later an argument that cannot be is
    /// about what they have found.
    public static boolean isMisuse(Exception failed, Object command) {
        var measures =
                command instanceof RunCommand
                        || command instanceof CompareCommand
                        || command instanceof PaperCommand
                        || command instanceof AgeingCommand
                        || command instanceof DemoCommand
                        || command instanceof RateCommand
                        || command instanceof KneeCommand
                        || command instanceof PeerCommand
                        || command instanceof FitCommand
                        || command instanceof ChartCommand;
        return failed instanceof InvalidSelectorException
                || failed instanceof InvalidDestinationException
                || failed instanceof RefusedUrlException
                || (failed instanceof IllegalArgumentException && !measures);
    }
}
