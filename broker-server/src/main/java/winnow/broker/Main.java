package winnow.broker;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.broker.cli.CommandVersion;
import winnow.broker.config.ConfigReader;
import winnow.broker.config.FileProblem;
import winnow.broker.fault.FatalErrors;
import winnow.broker.session.FirstUser;

/// `winnow broker`: starts a broker and runs until SIGTERM or SIGINT, then exits with 0. An error
/// that no process survives ends it with [FatalErrors#EXIT_CODE].
@Command(
        name = "winnow broker",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        description = {
            "Starts a broker and runs until SIGTERM or SIGINT.",
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

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "61616",
            description = "port of clients, 0 for any (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "8161",
            description =
                    "port of /metrics, /health/live, /health/ready and /api/v1, 0 for any"
                            + " (default: ${DEFAULT-VALUE})")
    private int httpPort;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "address of both ports; beyond loopback security.users must be set (default:"
                            + " ${DEFAULT-VALUE})")
    private String bind = "127.0.0.1";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "directory of the broker's files; DIR/users, if there, is the default of"
                            + " security.users")
    private @Nullable Path data;

    @Option(
            names = "--first-user",
            paramLabel = "NAME",
            description =
                    "makes the user file with this user if there is none; its password is"
                            + " WINNOW_PASSWORD, or in the file WINNOW_PASSWORD_FILE, or made and"
                            + " printed once")
    private String firstUser = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "changes a setting; may be repeated. See --settings.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--settings", description = "prints all settings in force and exits")
    private boolean printSettings;

    @Option(names = "--stop-when-ready", hidden = true, description = "for the start-up archive")
    private boolean stopWhenReady;

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        FatalErrors.prepare();
        Thread.setDefaultUncaughtExceptionHandler(Main::onUncaught);
        System.exit(commandLine().execute(args));
    }

    private static void onUncaught(Thread thread, Throwable failure) {
        FatalErrors.endIfFatal(failure);
        LOG.error("{} has ended", thread.getName(), failure);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setExecutionExceptionHandler((e, line, _) -> {
                    line.getErr().println("winnow broker: " + e.getMessage());
                    return e instanceof IllegalArgumentException ? 2 : 1;
                });
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        requirePort("--port", port);
        requirePort("--http-port", httpPort);
        BrokerConfig config = BrokerConfig.of(withDataDirectory());
        if (printSettings) {
            ConfigReader.keys(config).forEach((key, value) -> out.println(key + "=" + value));
            return 0;
        }
        Broker broker = new Broker(config, bindAddress(), port, httpPort);
        CountDownLatch halt = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "winnow-stop"));
        out.println(
                "winnow ready: jms="
                        + text(broker.address())
                        + " http="
                        + text(broker.httpAddress()));
        out.flush();
        if (!stopWhenReady) {
            halt.await();
        }
        return 0;
    }

    /// After a signal. The virtual machine itself would exit with 143.
    private static void stop(Broker broker) {
        int exitCode = 1;
        try {
            broker.close();
            exitCode = 0;
        } catch (Throwable failure) {
            FatalErrors.endIfFatal(failure);
            LOG.error("Could not stop in order", failure);
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }

    private static void requirePort(String option, int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    option + ": expected a port of 0 to 65535, found " + port);
        }
    }

    private InetAddress bindAddress() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "--bind: expected an address of this machine, found '" + bind + "'", e);
        }
    }

    private Map<String, String> withDataDirectory() throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        if (data != null) {
            makeDirectory(data);
            Path users = data.resolve("users");
            if (Files.exists(users) || !firstUser.isEmpty()) {
                all.put("security.users", users.toString());
            }
        }
        all.putAll(settings);
        if (!firstUser.isEmpty() && !printSettings) {
            all.put("security.users", withFirstUser(all.get("security.users")).toString());
        }
        return all;
    }

    /// The user file, which is there afterwards.
    private Path withFirstUser(@Nullable String users) throws IOException {
        if (users == null) {
            throw new IllegalArgumentException(
                    "--first-user: expected --data or security.users to say where the user file is,"
                            + " found neither");
        }
        Path file = Path.of(users);
        FirstUser.prepare(file, firstUser, System.getenv())
                .ifPresent(password ->
                        spec.commandLine()
                                .getOut()
                                .println(
                                        "winnow first start: made user '"
                                                + firstUser
                                                + "' with password '"
                                                + password
                                                + "' in "
                                                + file
                                                + "; the password is shown only now"));
        return file;
    }

    private static void makeDirectory(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IOException("--data " + FileProblem.of(directory, e).getMessage(), e);
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
