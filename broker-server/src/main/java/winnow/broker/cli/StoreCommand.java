package winnow.broker.cli;

import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import winnow.broker.logging.LogConfig;
import winnow.broker.logging.LogSetup;
import winnow.cli.Commands;

/// `winnow store`: looks after the store of a broker that does not run.
@Command(
        name = "winnow store",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        description = {
            "Checks, measures, copies or restores the store of a broker that does not run.",
            "The store is in DIR/store, where DIR is what 'winnow broker' has as --data."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            StoreVerifyCommand.class,
            StoreStatsCommand.class,
            StoreBackupCommand.class,
            StoreRestoreCommand.class
        })
public final class StoreCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        LogConfig defaults = LogConfig.DEFAULTS;
        LogSetup.apply(new LogConfig(defaults.format(), Level.WARN, defaults.levels()));
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new StoreCommand());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "expected a command: verify, stats, backup or restore");
    }
}
