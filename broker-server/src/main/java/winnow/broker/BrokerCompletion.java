package winnow.broker;

import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import winnow.broker.cli.BackupCommand;
import winnow.broker.cli.ClusterCommand;
import winnow.broker.cli.ConnectionCommand;
import winnow.broker.cli.ExplainCommand;
import winnow.broker.cli.PermissionCommand;
import winnow.broker.cli.QueueCommand;
import winnow.broker.cli.SelectorCommand;
import winnow.broker.cli.StoreCommand;
import winnow.broker.cli.SubscriptionCommand;
import winnow.broker.cli.TopCommand;
import winnow.broker.cli.TopicCommand;
import winnow.broker.cli.TransactionCommand;
import winnow.broker.cli.UserCommand;

/// Prints the functions by which a shell completes the commands of the broker. The launcher makes
/// `winnow completion` of this and of what the load generator prints.
public final class BrokerCompletion {
    /// The function that completes is `_complete_` and this.
    private static final String NAME = "winnow_broker";

    private BrokerCompletion() {}

    public static void main(String[] args) {
        System.out.print(AutoComplete.bash(NAME, commands()));
        System.out.flush();
    }

    private static CommandLine commands() {
        return new CommandLine(CommandSpec.create().name(NAME))
                .addSubcommand("broker", Main.commandLine(Map.of()))
                .addSubcommand("config", ConfigCommand.commandLine(Map.of()))
                .addSubcommand("selector", SelectorCommand.commandLine())
                .addSubcommand("explain", ExplainCommand.commandLine())
                .addSubcommand("top", TopCommand.commandLine())
                .addSubcommand("queue", QueueCommand.commandLine())
                .addSubcommand("topic", TopicCommand.commandLine())
                .addSubcommand("subscription", SubscriptionCommand.commandLine())
                .addSubcommand("connection", ConnectionCommand.commandLine())
                .addSubcommand("backup", BackupCommand.commandLine())
                .addSubcommand("cluster", ClusterCommand.commandLine())
                .addSubcommand("transaction", TransactionCommand.commandLine())
                .addSubcommand("permission", PermissionCommand.commandLine())
                .addSubcommand("user", UserCommand.commandLine())
                .addSubcommand("store", StoreCommand.commandLine());
    }
}
