package winnow.loadgen.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;

/// A provider as a JSON file says it: what it is, how its broker is started, how clients connect.
/// Immutable.
///
/// Command, files, jars and URL may have these words: `${port}` and `${port2}` are free ports,
/// `${jars}` the folder with the broker's jars, `${home}` the folder of the launcher.
///
/// @param name in tables, and of its folder of results
/// @param title one line for people
/// @param version of the broker; empty if the file does not say
/// @param licence SPDX identifier; empty if the file does not say
/// @param notes what a reader of its figures should know, in sentences
/// @param broker null for a broker that runs already
/// @param client how clients connect
public record ProviderFile(
        String name,
        String title,
        String version,
        String licence,
        List<String> notes,
        @Nullable StartedBroker broker,
        ClientLibrary client) {

    /// The files that come with the load generator, in the order of help texts.
    private static final List<String> NAMES =
            List.of("winnow", "artemis", "activemq", "openmq", "qpid");

    private static final String ENDING = ".json";
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]*";
    private static final ObjectMapper JSON = new ObjectMapper();

    public ProviderFile {
        name = name == null ? "" : name;
        title = title == null ? "" : title;
        version = version == null ? "" : version;
        licence = licence == null ? "" : licence;
        notes = texts(notes, "notes");
        if (client == null) {
            throw new IllegalArgumentException("expected \"client\", found none");
        }
    }

    /// A broker that is started for the comparison.
    ///
    /// @param artifacts `group:artifact:version` each, from Maven Central with what they need; with
    ///   `:zip` at the end one that is unpacked
    /// @param without `group:artifact` of what is not needed of that
    /// @param command `java` first means this Java, with the heap of the comparison
    /// @param files lines of configuration, by the name of the file in its working directory
    public record StartedBroker(
            List<String> artifacts,
            List<String> without,
            List<String> command,
            Map<String, List<String>> files) {

        public StartedBroker {
            artifacts = texts(artifacts, "artifacts");
            without = texts(without, "without");
            files = new LinkedHashMap<>(files == null ? Map.of() : files);
            files.replaceAll((_, lines) -> texts(lines, "files"));
            if (command == null || command.isEmpty()) {
                throw new IllegalArgumentException(
                        "expected \"command\" of \"broker\", found none");
            }
            command = texts(command, "command");
        }
    }

    /// The client library of a provider.
    ///
    /// @param artifacts as those of a broker; none for jars that are there
    /// @param jars folder with jars; null for none
    /// @param factory class of the connection factory, see [winnow.loadgen.worker.Provider]
    /// @param url where it connects to
    /// @param user empty for none
    /// @param password empty for none
    /// @param topicPrefix how the names of topics begin
    public record ClientLibrary(
            List<String> artifacts,
            @Nullable String jars,
            String factory,
            String url,
            String user,
            String password,
            String topicPrefix) {

        public ClientLibrary {
            artifacts = texts(artifacts, "artifacts");
            user = user == null ? "" : user;
            password = password == null ? "" : password;
            topicPrefix = topicPrefix == null ? "winnow.load" : topicPrefix;
            if (factory == null || url == null) {
                throw new IllegalArgumentException(
                        "expected \"factory\" and \"url\" of \"client\", found %s, %s"
                                .formatted(factory, url));
            }
        }

        /// Without password and URL, which may name one, too.
        @Override
        public String toString() {
            return "ClientLibrary[" + factory + "]";
        }
    }

    /// Names of the files that come with the load generator.
    public static List<String> names() {
        return NAMES;
    }

    /// A file that comes with the load generator, by its name, or a user's, by its path.
    ///
    /// @throws LoadException if it cannot be read
    /// @throws IllegalArgumentException if it is neither, or the file is not as it should be
    public static ProviderFile of(String nameOrPath) throws LoadException {
        if (nameOrPath.endsWith(ENDING)) {
            return read(Path.of(nameOrPath));
        }
        if (!NAMES.contains(nameOrPath)) {
            throw new IllegalArgumentException(
                    "expected a provider out of %s or a file that ends with .json, found '%s'"
                            .formatted(NAMES, nameOrPath));
        }
        try (var file = ProviderFile.class.getResourceAsStream(nameOrPath + ENDING)) {
            if (file == null) {
                throw new IllegalStateException("provider file missing: " + nameOrPath);
            }
            return JSON.readValue(file, ProviderFile.class);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("provider " + nameOrPath, unreadable);
        }
    }

    private static ProviderFile read(Path path) throws LoadException {
        try {
            var file = JSON.readValue(Files.readString(path), ProviderFile.class);
            if (file == null) {
                throw new IllegalArgumentException(
                        path + ": expected a provider's JSON object, found null");
            }
            var fileName = String.valueOf(path.getFileName());
            var name =
                    file.name.isEmpty()
                            ? fileName.substring(0, fileName.length() - ENDING.length())
                            : file.name;
            if (!name.matches(NAME)) {
                throw new IllegalArgumentException(
                        "%s: expected a \"name\" of letters, digits, '.', '_' and '-', found '%s'"
                                .formatted(path, name));
            }
            return file.located(name, path.toAbsolutePath().getParent());
        } catch (JsonProcessingException malformed) {
            var cause = malformed.getCause();
            throw new IllegalArgumentException(
                    "%s: expected a provider's JSON file, found: %s"
                            .formatted(
                                    path,
                                    cause instanceof IllegalArgumentException
                                            ? cause.getMessage()
                                            : malformed.getOriginalMessage()),
                    malformed);
        } catch (IOException unreadable) {
            throw new LoadException("cannot read the provider's file " + path, unreadable);
        }
    }

    /// A list of the file, empty if it is not there.
    private static List<String> texts(@Nullable List<String> list, String name) {
        if (list == null) {
            return List.of();
        }
        if (list.stream().anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException(
                    "expected texts in \"%s\", found null".formatted(name));
        }
        return List.copyOf(list);
    }

    /// The same with a name, its jars relative to the folder of the file.
    private ProviderFile located(String named, @Nullable Path folder) {
        var jars = client.jars;
        var located =
                jars == null || folder == null || jars.startsWith("$")
                        ? client
                        : new ClientLibrary(
                                client.artifacts,
                                folder.resolve(jars).toString(),
                                client.factory,
                                client.url,
                                client.user,
                                client.password,
                                client.topicPrefix);
        return new ProviderFile(
                named, title.isEmpty() ? named : title, version, licence, notes, broker, located);
    }

    /// True if a broker is started for it.
    public boolean isStarted() {
        return broker != null;
    }
}
