package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.broker.config.ConfigReader;
import winnow.cli.Commands;

/// `winnow top`: shows again and again what a running broker does.
@Command(
        name = "winnow top",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        description =
                "Shows what a running broker does, anew every --interval until Ctrl-C: message"
                        + " rates of topics and of what is stored, the queues and stored"
                        + " subscriptions in which most messages wait, blocked topics and for whom"
                        + " they wait, the live consumers for which most waits, and the selectors"
                        + " that matching spends most time on. Where"
                        + " the output is no terminal it shows this once; with --output json it"
                        + " prints a line anew every --interval, too.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown once; 130 after Ctrl-C",
            "1:no answer, wrong credentials",
            "2:wrong usage"
        })
public final class TopCommand implements Callable<Integer> {
    private static final String SELECTORS = "selectors";
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

    /// Shows another page of the terminal, and the one that was there before.
    private static final String ENTER = "\033[?1049h\033[?25l";

    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H\033[2J";

    @Mixin private final BrokerAccess access = new BrokerAccess();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "time that rates are measured for (default: ${DEFAULT-VALUE})")
    private String interval = "";

    @Option(names = "--once", description = "shows it once and ends")
    private boolean once;

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new TopCommand());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Duration pause = pause();
        AdminClient broker = access.client();
        JsonNode before = broker.get("overview");
        // Topics look for their costliest selectors only when somebody has asked.
        broker.get(SELECTORS);
        boolean whole = !access.isJson() && !once && isTerminal();
        if (whole) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> print(LEAVE)));
            print(ENTER);
        }
        do {
            Thread.sleep(pause);
            JsonNode now = broker.get("overview");
            show(broker, before, now, whole);
            before = now;
            // Nobody reads on: "winnow top --output json | head -1".
        } while (!spec.commandLine().getOut().checkError()
                && (whole || (access.isJson() && !once)));
        return CommandLine.ExitCode.OK;
    }

    private Duration pause() {
        Duration pause;
        try {
            pause = ConfigReader.parseDuration(interval);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--interval: " + e.getMessage(), e);
        }
        if (pause.toMillis() < 100 || pause.compareTo(LONGEST_INTERVAL) > 0) {
            throw new IllegalArgumentException(
                    "--interval: expected 100ms to 60m, found '" + interval + "'");
        }
        return pause;
    }

    @SuppressWarnings("SystemConsoleNull") // the JDK's annotations still say that it may be null
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private void show(AdminClient broker, JsonNode before, JsonNode now, boolean whole)
            throws IOException {
        JsonNode backlogs =
                broker.ask("GET", Map.of("limit", String.valueOf(TopText.ENTRIES)), "backlogs");
        JsonNode blocked = broker.get("blocked");
        JsonNode behind = broker.get("behind");
        JsonNode consumers = broker.get("consumers");
        JsonNode selectors = broker.get(SELECTORS);
        if (access.isJson()) {
            ObjectNode line = SelectorCommand.JSON.createObjectNode();
            line.set("overview", now);
            line.put("receivedPerSecond", TopText.rate(before, now, "messagesReceived"));
            line.put("dispatchedPerSecond", TopText.rate(before, now, "messagesDispatched"));
            JsonNode storedBefore = TopText.stored(before);
            JsonNode stored = TopText.stored(now);
            line.put("storedPerSecond", TopText.rate(storedBefore, stored, "appended"));
            line.put("acknowledgedPerSecond", TopText.rate(storedBefore, stored, "acknowledged"));
            line.set("backlogs", backlogs);
            line.set("blocked", blocked);
            line.set("behind", behind);
            line.set("consumers", consumers);
            line.set(SELECTORS, selectors);
            print(line + "\n");
        } else {
            TopText text =
                    new TopText(
                            access.place(),
                            whole ? TopText.FEW_ENTRIES : TopText.ENTRIES,
                            broker.none());
            text.head(before, now);
            text.backlogs(backlogs);
            text.blocked(blocked);
            text.behind(behind);
            text.consumers(consumers);
            text.selectors(selectors);
            print((whole ? HOME : "") + text);
        }
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }
}
