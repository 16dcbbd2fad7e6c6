package winnow.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.broker.config.FileProblem;
import winnow.broker.config.SettingSources;

/// The options of a command line that say where a broker's settings are from.
public final class SettingOptions {
    private static final String USERS = "security.users";
    private static final String STORE = "storage.directory";
    private static final String SOCKET = "http.socket";
    private static final String SPILL = "subscription.spill-directory";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "port of clients, 0 for any (default: 61616)")
    private @Nullable Integer port;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description =
                    "port of /metrics, /health/live, /health/ready and /api/v1, 0 for any"
                            + " (default: 8161)")
    private @Nullable Integer httpPort;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description =
                    "address of both ports; beyond loopback security.users must be set (default:"
                            + " 127.0.0.1)")
    private @Nullable String bind;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "directory of the broker's files, made if it is not there: messages are kept"
                            + " in DIR/store, DIR/users, if there, is the default of"
                            + " security.users, and commands on this machine can use the socket"
                            + " DIR/admin.sock (http.socket)")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file of settings (default: $WINNOW_CONFIG)")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "changes a setting; may be repeated. 'winnow config show' lists all.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /// The directory of the broker's files, if one is given.
    @Nullable Path data() {
        return data;
    }

    /// Settings as the options, the environment and the files say now.
    ///
    /// @throws IllegalArgumentException if the directory of the broker's files is none
    public SettingSources sources(Map<String, String> environment) {
        SettingSources sources = new SettingSources(BrokerConfig.DEFAULTS);
        addUsers(sources);
        if (data != null) {
            sources.put(STORE, data.resolve("store").toString(), "--data");
            sources.put(SOCKET, data.resolve("admin.sock").toString(), "--data");
            sources.put(SPILL, data.resolve("spill").toString(), "--data");
        }
        Path yaml = file == null ? ofEnvironment(environment) : file;
        if (yaml != null) {
            sources.file(yaml);
        }
        sources.environment(environment);
        settings.forEach((key, value) -> sources.put(key, value, "--set"));
        add(sources, "transport.port", port, "--port");
        add(sources, "http.port", httpPort, "--http-port");
        add(sources, "transport.bind", bind, "--bind");
        return sources;
    }

    private static @Nullable Path ofEnvironment(Map<String, String> environment) {
        String name = environment.getOrDefault("WINNOW_CONFIG", "");
        return name.isEmpty() ? null : Path.of(name);
    }

    private void addUsers(SettingSources sources) {
        if (data == null) {
            return;
        }
        if (Files.exists(data) && !Files.isDirectory(data)) {
            throw new IllegalArgumentException(
                    "--data " + data + ": expected a directory, found a file");
        }
        Path users = data.resolve("users");
        if (Files.exists(users)) {
            sources.put(USERS, users.toString(), "--data");
        }
    }

    private static void add(
            SettingSources sources, String key, @Nullable Object value, String option) {
        if (value != null) {
            sources.put(key, value.toString(), option);
        }
    }

    /// Takes the settings of a file that another parameter names.
    ///
    /// @throws IllegalArgumentException if an option names one, too
    void file(Path named) {
        if (file != null) {
            throw new IllegalArgumentException(
                    "expected one file of settings, found " + named + " and --config " + file);
        }
        file = named;
    }

    /// Makes the directory of the broker's files unless it is there.
    void makeDirectory() throws IOException {
        if (data == null) {
            return;
        }
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new IOException("--data " + FileProblem.of(data, e).getMessage(), e);
        }
    }
}
