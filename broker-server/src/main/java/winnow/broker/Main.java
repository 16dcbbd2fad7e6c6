package winnow.broker;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.broker.cli.CommandVersion;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.SettingSources;
import winnow.broker.fault.FatalErrors;
import winnow.broker.logging.JsonOutput;
import winnow.broker.logging.LogFormat;
import winnow.broker.logging.LogSetup;
import winnow.broker.security.FirstUser;
import winnow.cli.Commands;
import winnow.store.LogException;

/// `winnow broker`: starts a broker and runs until SIGTERM or SIGINT, then exits with 0. An error
/// that no process survives ends it with [FatalErrors#EXIT_CODE].
@Command(
        name = "winnow broker",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        description = {
            "Starts a broker and runs until SIGTERM or SIGINT.",
            "SIGHUP makes it read settings, users, permissions and certificates again: all, or none"
                    + " if one is wrong.",
            "",
            "When it accepts connections it prints one line:",
            "  winnow ready: jms=HOST:PORT http=HOST:PORT",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by a signal",
            "1:could not start (port in use, full disk), or not stop in order",
            "2:wrong option or setting, or a file that it names cannot be used: another start"
                    + " fails, too, until somebody changes it",
            "3:ended at once by an error that it cannot survive, such as a heap that is used up, or"
                    + " a disk that fails under a node of a cluster"
        })
public final class Main implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    @Mixin private SettingOptions options = new SettingOptions();

    @Option(
            names = "--first-user",
            paramLabel = "NAME",
            description =
                    "makes the user file with this user if there is none; its password is"
                            + " WINNOW_PASSWORD, or in the file WINNOW_PASSWORD_FILE, or made and"
                            + " printed once")
    private String firstUser = "";

    @Option(names = "--stop-when-ready", hidden = true, description = "for tests")
    private boolean stopWhenReady;

    @Spec private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;

    /// True if it ends without having done all that [#stopWhenReady] asks for.
    private volatile boolean unready;

    private Main(Map<String, String> environment) {
        this.environment = environment;
    }

    public static void main(String[] args) {
        FatalErrors.prepare();
        Thread.setDefaultUncaughtExceptionHandler(Main::onUncaught);
        System.exit(Commands.run(commandLine(System.getenv()), args));
    }

    private static void onUncaught(Thread thread, Throwable failure) {
        FatalErrors.endIfFatal(failure);
        LOG.error("{} has ended", thread.getName(), failure);
    }

    static CommandLine commandLine(Map<String, String> environment) {
        Main main = new Main(environment);
        CommandLine line = Commands.line(main).setOverwrittenOptionsAllowed(true);
        CommandLine.IParameterExceptionHandler usage = line.getParameterExceptionHandler();
        return line.setParameterExceptionHandler((error, arguments) -> {
            main.chooseOutput();
            return usage.handleParseException(error, arguments);
        });
    }

    /// Makes objects of JSON of all that is printed from now on, if the log is to be JSON. Other
    /// settings, and the rest of the command line, may be wrong.
    private void chooseOutput() {
        boolean json;
        try {
            json =
                    options.sources(environment)
                            .text("log.format")
                            .equalsIgnoreCase(LogFormat.JSON.name());
        } catch (IllegalArgumentException e) {
            json = environment.getOrDefault("WINNOW_LOG_FORMAT", "").equalsIgnoreCase("json");
        }
        if (json) {
            CommandLine line = spec.commandLine();
            line.setOut(JsonOutput.to(line.getOut(), Level.INFO));
            line.setErr(JsonOutput.to(line.getErr(), Level.ERROR));
        }
    }

    @Override
    public Integer call() throws Exception {
        chooseOutput();
        try {
            return run();
        } catch (IOException | RuntimeException e) {
            throw explained(e);
        }
    }

    /// Another start would fail in the same way if the reason is one that somebody has to change.
    private Exception explained(Exception failure) {
        List<String> problems = StartCheck.problems(options.sources(environment));
        if (!problems.isEmpty()) {
            return new IllegalArgumentException(String.join("\n", problems), failure);
        }
        if (failure instanceof LogException e && e.reason() == LogException.Reason.CORRUPT) {
            return new IllegalArgumentException(String.valueOf(e.getMessage()), failure);
        }
        return failure;
    }

    private Integer run() throws IOException, InterruptedException {
        if (!firstUser.isEmpty()) {
            makeFirstUser();
        }
        SettingSources sources = options.sources(environment);
        BrokerConfig config = sources.read(BrokerConfig.class);
        LogSetup.apply(config.log());
        logStart(config, sources);
        options.makeDirectory();
        if (!config.security().enabled()) {
            warnOfNobody();
        }
        BrokerService broker = start(config);
        unready = stopWhenReady;
        CountDownLatch halt = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "winnow-stop"));
        Hangup.handle(() -> reload(broker));
        tellReady(config.transport().bind(), broker);
        unready = false;
        if (!stopWhenReady) {
            halt.await();
        }
        return 0;
    }

    private BrokerService start(BrokerConfig config) throws IOException {
        InetAddress bind = StartCheck.address(config.transport().bind());
        int port = config.transport().port();
        int httpPort = config.http().port();
        RunningConfig.Source source = () -> options.sources(environment);
        return config.cluster().enabled()
                ? new ClusterBroker(config, bind, port, httpPort, source)
                : new Broker(config, bind, port, httpPort, source, null);
    }

    private void logStart(BrokerConfig config, SettingSources sources) {
        String changed =
                ConfigReader.describe(BrokerConfig.DEFAULTS, config).stream()
                        .filter(one -> !sources.source(one.key()).equals(SettingSources.DEFAULT))
                        .map(one ->
                                "%s=%s (%s)"
                                        .formatted(
                                                one.key(),
                                                one.effective(),
                                                sources.source(one.key())))
                        .collect(Collectors.joining(", "));
        LOG.info(
                "{} starts: Java {}, {} processors, {} MiB of heap at most; settings: {}",
                String.join(" ", spec.version()),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20,
                changed.isEmpty() ? "defaults" : changed);
    }

    private static void reload(BrokerService broker) {
        try {
            broker.reload();
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("Cannot reload: {}", e.getMessage());
        }
    }

    /// After a signal. The virtual machine itself would exit with 143.
    private void stop(BrokerService broker) {
        int exitCode = 1;
        try {
            broker.close();
            exitCode = unready ? 1 : 0;
        } catch (Throwable failure) {
            FatalErrors.endIfFatal(failure);
            LOG.error("Could not stop in order", failure);
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }

    private void warnOfNobody() {
        LOG.warn(
                "There are no users: every program on this machine may connect without credentials,"
                        + " and change everything over HTTP. 'winnow user --file {} NAME' makes {}",
                options.data() == null ? "FILE" : options.data().resolve("users"),
                options.data() == null ? "a file for --set security.users=FILE" : "the first one");
    }

    private void tellReady(String bind, BrokerService broker) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "winnow ready: jms="
                        + text(bind, broker.address())
                        + " http="
                        + text(bind, broker.httpAddress()));
        out.flush();
    }

    /// As the address was given, with the port in use.
    private static String text(String bind, InetSocketAddress address) {
        return (bind.contains(":") ? "[" + bind + "]" : bind) + ":" + address.getPort();
    }

    /// Makes the user file, unless it is there.
    private void makeFirstUser() throws IOException {
        options.makeDirectory();
        Path file = options.sources(environment).read(BrokerConfig.class).security().users();
        if (file.toString().isEmpty() && options.data() != null) {
            file = options.data().resolve("users");
        }
        if (file.toString().isEmpty()) {
            throw new IllegalArgumentException(
                    "--first-user: expected --data or security.users to say where the user file is,"
                            + " found neither");
        }
        Optional<String> password = FirstUser.prepare(file, firstUser, environment);
        if (password.isPresent()) {
            spec.commandLine()
                    .getOut()
                    .printf(
                            "winnow first start: made user '%s' with password '%s' in %s; the"
                                    + " password is shown only now%n",
                            firstUser, password.get(), file)
                    .flush();
        }
    }
}
