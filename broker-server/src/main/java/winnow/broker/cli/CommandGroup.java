package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// A command whose methods are the commands below it, which ask a running broker.
class CommandGroup implements Callable<Integer> {
    private final String commands;

    @Spec private CommandSpec spec = CommandSpec.create();

    /// @param commands those below it, as a sentence lists them
    CommandGroup(String commands) {
        this.commands = commands;
    }

    /// Runs if there is no command.
    @Override
    public Integer call() throws IOException {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "expected a command: " + commands);
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /// Prints what the broker has answered.
    ///
    /// @param text prints it for people
    /// @return the exit code
    final int print(BrokerAccess access, JsonNode answer, Runnable text) {
        if (access.isJson()) {
            out().println(answer);
        } else {
            text.run();
        }
        out().flush();
        return CommandLine.ExitCode.OK;
    }
}
