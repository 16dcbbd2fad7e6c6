package winnow.broker.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Settings in environment variables: `WINNOW_SUBSCRIPTION_BUFFER`, or the same with `_FILE` for a
/// file that holds the value.
public final class EnvironmentSettings {
    /// Prefix of all names.
    public static final String PREFIX = "WINNOW_";

    /// Names that are no settings of a broker but of its commands and its launcher.
    public static final Set<String> OTHER_NAMES =
            Set.of(
                    "WINNOW_CONFIG",
                    "WINNOW_USER",
                    "WINNOW_PASSWORD",
                    "WINNOW_PASSWORD_FILE",
                    "WINNOW_TOKEN_FILE",
                    "WINNOW_URL",
                    "WINNOW_HTTP_URL",
                    "WINNOW_HOME",
                    "WINNOW_JAVA_HOME",
                    "WINNOW_OPTS",
                    "WINNOW_BROKER_OPTS");

    private static final String FILE = "_FILE";
    private static final int MAX_FILE_BYTES = 64 * 1024;

    /// Names that Kubernetes and Docker set for a service whose name begins with `winnow`.
    private static final Pattern SERVICE_LINK =
            Pattern.compile("WINNOW_(.*_)?(SERVICE_(HOST|PORT).*|PORT_[0-9]+_(TCP|UDP|SCTP).*)");

    private static final Pattern LINKED_PORT = Pattern.compile("(tcp|udp|sctp)://.*");

    private EnvironmentSettings() {}

    /// Name of the variable of a setting.
    public static String variable(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /// Adds what an environment says. What is wrong becomes a problem of `sources`.
    static void read(Map<String, String> environment, SettingSources sources) {
        Map<String, String> keys = new HashMap<>();
        sources.keys().forEach(key -> keys.put(variable(key), key));
        new TreeMap<>(environment)
                .forEach((name, value) -> {
                    if (isOurs(name, value)) {
                        read(name, value, keys, sources);
                    }
                });
    }

    private static boolean isOurs(String name, String value) {
        return name.startsWith(PREFIX)
                && !OTHER_NAMES.contains(name)
                && !SERVICE_LINK.matcher(name).matches()
                && !(name.endsWith("_PORT") && LINKED_PORT.matcher(value).matches());
    }

    private static void read(
            String name, String value, Map<String, String> keys, SettingSources sources) {
        String source = "environment variable " + name;
        String key = keys.get(name);
        if (key != null) {
            sources.put(key, value, source);
            return;
        }
        String plain =
                name.endsWith(FILE) ? name.substring(0, name.length() - FILE.length()) : name;
        String ofFile = keys.get(plain);
        if (ofFile == null) {
            sources.problem(
                    source
                            + ": no such setting"
                            + NearestKeys.hint(
                                    plain.substring(PREFIX.length()),
                                    sources.keys(),
                                    EnvironmentSettings::variable));
            return;
        }
        try {
            sources.put(ofFile, SmallFile.read(Path.of(value), MAX_FILE_BYTES).strip(), source);
        } catch (IOException e) {
            sources.problem(source + ": " + e.getMessage());
        }
    }
}
