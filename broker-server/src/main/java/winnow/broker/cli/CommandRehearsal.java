package winnow.broker.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/// Runs commands that ask a broker, so that the start-up archive has their classes.
public final class CommandRehearsal {
    private CommandRehearsal() {}

    /// @param url of the broker's HTTP port
    /// @param socket of the same broker, if it has one; else empty
    /// @throws IllegalStateException if a command fails
    public static void run(String url, Path socket) {
        require(HealthCheck.run(url), "winnow health " + url);
        run(TopCommand.commandLine(), List.of("--once", "--interval=1s", "--url=" + url));
        run(TopCommand.commandLine(), List.of("--once", "--output=json", "--url=" + url));
        run(QueueCommand.commandLine(), List.of("list", "--url=" + url));
        if (!socket.toString().isEmpty() && Files.exists(socket)) {
            run(QueueCommand.commandLine(), List.of("list", "--socket=" + socket));
        }
        run(SubscriptionCommand.commandLine(), List.of("list", "--url=" + url));
        run(ConnectionCommand.commandLine(), List.of("list", "--url=" + url));
        run(
                SelectorCommand.commandLine(),
                List.of(
                        "eval",
                        "price > 3 AND region = 'EU'",
                        "--message={\"price\": 5, \"region\": \"EU\"}"));
    }

    private static void run(CommandLine command, List<String> arguments) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        int exitCode =
                command.setOut(nowhere).setErr(nowhere).execute(arguments.toArray(String[]::new));
        require(exitCode, command.getCommandName() + " " + String.join(" ", arguments));
    }

    private static void require(int exitCode, String command) {
        if (exitCode != CommandLine.ExitCode.OK) {
            throw new IllegalStateException(command + ": expected exit code 0, found " + exitCode);
        }
    }
}
