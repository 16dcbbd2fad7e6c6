package winnow.broker.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.cli.Commands;
import winnow.cli.UsageErrors;
import winnow.selector.engine.Selector;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.explain.Warning;

/// `winnow selector`: what a selector says about a message, or about itself; no broker needed.
@Command(
        name = "winnow selector",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        description = "Evaluates or explains a message selector, without a broker.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SelectorEvalCommand.class, SelectorExplainCommand.class})
public final class SelectorCommand implements Runnable {

    /// Form in which results are printed.
    enum Output {
        TEXT,
        JSON
    }

    /// The selector and how to print what is found; the same for both subcommands.
    static final class Input {

        @Parameters(
                paramLabel = "SELECTOR",
                description =
                        "the selector, or the correlation ID filter; put -- before one that begins"
                                + " with a minus sign")
        private String text = "";

        @Option(
                names = "--correlation-id-filter",
                description = "SELECTOR is a correlation ID filter such as '[#7;#13]|order-*'")
        private boolean correlationIdFilter;

        @Option(
                names = "--output",
                paramLabel = "FORMAT",
                description = "text (default) or json",
                defaultValue = "text")
        private Output output = Output.TEXT;

        String text() {
            return text;
        }

        boolean isJson() {
            return output == Output.JSON;
        }

        boolean isNoSelector() {
            return !correlationIdFilter && text.isBlank();
        }

        /// A blank selector means "no selector" to JMS: every message matches.
        Selector parse() {
            if (correlationIdFilter) {
                return Selector.ofCorrelationId(text);
            }
            return Selector.parse(isNoSelector() ? "TRUE" : text);
        }
    }

    static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return new CommandLine(new SelectorCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(SelectorCommand::refuseUsage)
                .setExpandAtFiles(false);
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "expected a command: eval or explain");
    }

    /// Prints a syntax error with a mark below its place and a suggestion; the exit code.
    static int refuse(CommandLine line, Input input, InvalidSelectorSyntaxException error) {
        if (input.isJson()) {
            ObjectNode root = JSON.createObjectNode();
            ObjectNode details = root.putObject("error");
            details.put("message", error.getMessage())
                    .put("line", error.line())
                    .put("column", error.column())
                    .put("problem", error.problem());
            error.suggestion().ifPresent(text -> details.put("suggestion", text));
            print(line.getOut(), root);
            return CommandLine.ExitCode.USAGE;
        }
        line.getErr().println(error.report());
        line.getErr().flush();
        return CommandLine.ExitCode.USAGE;
    }

    /// A selector such as `-x = 5` is taken for an option.
    private static int refuseUsage(CommandLine.ParameterException error, String[] arguments) {
        int code = new UsageErrors().handleParseException(error, arguments);
        boolean minus =
                Arrays.stream(arguments)
                        .takeWhile(argument -> !argument.equals("--"))
                        .anyMatch(argument -> argument.startsWith("-") && argument.contains(" "));
        if (minus) {
            CommandLine line = error.getCommandLine();
            line.getErr()
                    .println(
                            "a selector that begins with a minus sign stands behind --, as in "
                                    + line.getCommandSpec().qualifiedName()
                                    + " -- '-x = 5'");
            line.getErr().flush();
        }
        return code;
    }

    static void print(PrintWriter out, List<Warning> warnings) {
        for (Warning warning : warnings) {
            out.println("warning   " + warning.atom() + ": " + warning.message());
        }
    }

    static void add(ObjectNode root, List<Warning> warnings) {
        ArrayNode array = root.putArray("warnings");
        for (Warning warning : warnings) {
            ObjectNode node = array.addObject();
            node.put("kind", warning.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .put("atom", warning.atom())
                    .put("text", warning.text());
            if (warning.suggestion() != null) {
                node.put("suggestion", warning.suggestion());
            }
        }
    }

    static void print(PrintWriter out, ObjectNode root) {
        try {
            out.println(JSON.writeValueAsString(root));
            out.flush();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values has a JSON form", e);
        }
    }
}
