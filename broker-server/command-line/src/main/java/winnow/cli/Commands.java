package winnow.cli;

import java.io.PrintWriter;
import picocli.CommandLine;

/// Reads the arguments of commands that are started one by one, and tells their failures.
public final class Commands {
    private Commands() {}

    /// Runs an annotated command. Wrong usage is answered by [UsageErrors]. An exception is told on
    /// the standard error output, each line of its message behind the command's name, and ends with
    /// exit code 2 if it is an [IllegalArgumentException], otherwise with 1. An argument that
    /// begins with `@` is no file of arguments.
    public static CommandLine line(Object command) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((failure, line, _) -> tell(failure, line));
    }

    /// Runs a command with the arguments of `main`, which are UTF-8 whatever the locale says. Its
    /// writer tells when nobody reads the standard output any more, which picocli's does not.
    ///
    /// @return its exit code
    public static int run(CommandLine line, String... arguments) {
        line.setOut(new PrintWriter(System.out, true, System.out.charset()));
        String[] utf8;
        try {
            utf8 = Arguments.utf8(arguments);
        } catch (IllegalArgumentException other) {
            return tell(other, line);
        }
        return line.execute(utf8);
    }

    private static int tell(Exception failure, CommandLine line) {
        var name = line.getCommandSpec().qualifiedName();
        var err = line.getErr();
        String.valueOf(failure.getMessage()).lines().forEach(one -> err.println(name + ": " + one));
        err.flush();
        return failure instanceof IllegalArgumentException
                ? CommandLine.ExitCode.USAGE
                : CommandLine.ExitCode.SOFTWARE;
    }
}
