package winnow.broker;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
import winnow.broker.logging.LogSetup;
import winnow.broker.session.FirstUser;
import winnow.cli.Commands;

/// `winnow broker`: starts a broker and runs until SIGTERM or SIGINT, then exits with 0. An error
/// that no process survives ends it with [FatalErrors#EXIT_CODE].
@Command(
        name = "winnow broker",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        description = {
            "Starts a broker and runs until SIGTERM or SIGINT.",
            "SIGHUP makes it read settings, users and certificates again: all, or none if one is"
                    + " wrong.",
            "",
            "When it accepts connections it prints one line:",
            "  winnow ready: jms=HOST:PORT http=HOST:PORT",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by a signal",
            "1:could not start (port in use, unreadable file), or not stop in order",
            "2:wrong option or setting",
            "3:ended at once by an error that it cannot survive, such as a heap that is used up"
        })
public final class Main implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final int ANSWER_TIMEOUT_MILLIS = 10_000;

    @Mixin private SettingOptions options = new SettingOptions();

    @Option(
            names = "--first-user",
            paramLabel = "NAME",
            description =
                    "makes the user file with this user if there is none; its password is"
                            + " WINNOW_PASSWORD, or in the file WINNOW_PASSWORD_FILE, or made and"
                            + " printed once")
    private String firstUser = "";

    @Option(names = "--stop-when-ready", hidden = true, description = "for the start-up archive")
    private boolean stopWhenReady;

    @Spec private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;

    /// Whether it ends without having done all that [#stopWhenReady] asks for.
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
        return Commands.line(new Main(environment)).setOverwrittenOptionsAllowed(true);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (!firstUser.isEmpty()) {
            makeFirstUser();
        }
        SettingSources sources = options.sources(environment);
        BrokerConfig config = sources.read(BrokerConfig.class);
        String bind = config.transport().bind();
        LogSetup.apply(config.log());
        logStart(config, sources);
        options.makeDirectory();
        if (options.data() != null && !config.security().enabled()) {
            LOG.warn(
                    "{}/users is not there: everybody on this machine may connect without"
                            + " credentials. 'winnow user --file {}/users NAME' makes it",
                    options.data(),
                    options.data());
        }
        Broker broker =
                new Broker(
                        config,
                        address(bind),
                        config.transport().port(),
                        config.http().port(),
                        () -> options.sources(environment));
        unready = stopWhenReady;
        CountDownLatch halt = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "winnow-stop"));
        Hangup.handle(() -> reload(broker));
        out.println(
                "winnow ready: jms="
                        + text(bind, broker.address())
                        + " http="
                        + text(bind, broker.httpAddress()));
        out.flush();
        if (stopWhenReady) {
            askForHealth(broker.httpAddress());
            Rehearsal.run();
            unready = false;
        } else {
            halt.await();
        }
        return 0;
    }

    /// So that the start-up archive has the classes that answer the first health check, too.
    private static void askForHealth(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(ANSWER_TIMEOUT_MILLIS);
            byte[] request =
                    "GET /health/ready HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(request);
            socket.getInputStream().readAllBytes();
        }
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

    private static void reload(Broker broker) {
        try {
            broker.reload();
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("Cannot reload: {}", e.getMessage());
        }
    }

    /// After a signal. The virtual machine itself would exit with 143.
    private void stop(Broker broker) {
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

    private static InetAddress address(String bind) {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "transport.bind: expected an address of this machine, found '" + bind + "'", e);
        }
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
