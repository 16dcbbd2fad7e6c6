package winnow.loadgen.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;

/// A folder with the jars of brokers and providers, which Maven fetches when they are needed first.
/// A set of artifacts has a folder of its own there, so that another version is fetched anew.
///
/// @param directory made if it is missing
/// @param home folder of the launcher, which has Maven's wrapper; null if that is not known
public record JarCache(Path directory, @Nullable Path home) {

    private static final Duration FETCH = Duration.ofMinutes(10);

    /// The user's own cache: `$XDG_CACHE_HOME/winnow/providers`, or below `~/.cache`.
    ///
    /// @param cacheHome value of XDG_CACHE_HOME; null if it is not set
    public static Path usualDirectory(@Nullable String cacheHome) {
        var caches =
                cacheHome == null || cacheHome.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cacheHome);
        return caches.resolve("winnow").resolve("providers");
    }

    /// A folder with these artifacts and what they need.
    ///
    /// @param name of the set
    /// @param without `group:artifact` of what is not needed
    /// @param progress told before something is fetched
    public Path jars(
            String name, List<String> artifacts, List<String> without, Consumer<String> progress)
            throws LoadException, InterruptedException {
        var pom = pom(name, artifacts, without);
        var folder = directory.resolve("%s-%08x".formatted(name, pom.hashCode()));
        var jars = folder.resolve("jars");
        if (Files.isDirectory(jars)) {
            return jars;
        }
        progress.accept("fetching %s".formatted(String.join(", ", artifacts)));
        try {
            Files.createDirectories(directory);
            var unfinished = Files.createTempDirectory(directory, name + "-unfinished-");
            try {
                Files.writeString(unfinished.resolve("pom.xml"), pom);
                runMaven(name, unfinished);
                Files.move(unfinished, folder);
            } catch (FileAlreadyExistsException another) {
                // Another process has fetched the same.
            } finally {
                remove(unfinished);
            }
        } catch (IOException failed) {
            throw new LoadException("cannot fetch to " + directory, failed);
        }
        return jars;
    }

    static String pom(String name, List<String> artifacts, List<String> without) {
        var exclusions = new StringBuilder();
        for (var excluded : without) {
            var parts = parts(excluded, 2, 2);
            exclusions.append(
                    "<exclusion><groupId>%s</groupId><artifactId>%s</artifactId></exclusion>"
                            .formatted(parts[0], parts[1]));
        }
        var dependencies = new StringBuilder();
        for (var artifact : artifacts) {
            var parts = parts(artifact, 3, 4);
            dependencies.append(
                    """
                        <dependency>
                          <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
                          <type>%s</type>
                          <exclusions>%s</exclusions>
                        </dependency>
                    """
                            .formatted(
                                    parts[0],
                                    parts[1],
                                    parts[2],
                                    parts.length > 3 ? parts[3] : "jar",
                                    exclusions));
        }
        try (var pom = JarCache.class.getResourceAsStream("jars.xml")) {
            return new String(Objects.requireNonNull(pom).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("NAME", name)
                    .replace("<!--DEPENDENCIES-->", dependencies);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("jars.xml", unreadable);
        }
    }

    private static String[] parts(String coordinates, int least, int most) {
        var parts = coordinates.split(":", -1);
        if (parts.length < least
                || parts.length > most
                || !coordinates.matches("[A-Za-z0-9._:-]+")) {
            throw new IllegalArgumentException(
                    "expected %s, found '%s'"
                            .formatted(
                                    least == 2
                                            ? "group:artifact"
                                            : "group:artifact:version, perhaps with :zip",
                                    coordinates));
        }
        return parts;
    }

    private void runMaven(String name, Path folder)
            throws LoadException, IOException, InterruptedException {
        var log = directory.resolve(name + ".log");
        var builder =
                new ProcessBuilder(maven(name), "-B", "-ntp", "-f", "pom.xml", "package")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try (var maven = new WatchedProcess(builder.start(), null)) {
            if (!maven.hasEnded(FETCH)) {
                throw new LoadException(
                        "Maven has not fetched the jars of %s in %d min, see %s"
                                .formatted(name, FETCH.toMinutes(), log));
            }
            if (maven.stop(Duration.ZERO) != 0) {
                throw new LoadException(
                        ("cannot fetch the jars of %s: %s. They come from Maven Central, once,"
                                        + " to %s: see if it can be reached, or if Maven's"
                                        + " settings.xml names a mirror, and start again")
                                .formatted(name, firstError(log), directory));
            }
        }
    }

    private String maven(String name) throws LoadException {
        for (var folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            var candidate = Path.of(folder, "mvn");
            if (Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        var wrapper = home == null ? null : home.resolve("mvnw");
        if (wrapper != null && Files.isExecutable(wrapper)) {
            return wrapper.toString();
        }
        throw new LoadException(
                "expected Maven (mvn) on the path to fetch the jars of %s, found none: install it"
                                .formatted(name)
                        + ", or name a folder with the jars in a provider's file");
    }

    private static String firstError(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("[ERROR]"))
                .map(line -> line.substring("[ERROR]".length()).strip())
                .map(line -> line.replaceFirst(" -> \\[Help 1]$", ""))
                // Maven names the project first, which says nothing here.
                .map(line -> line.replaceFirst("^.* dependencies for project [^ ]+: ", ""))
                .findFirst()
                .orElse("Maven failed, see " + log);
    }

    /// Removes a folder with all that is in it, if it is there.
    static void remove(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        var all = new ArrayList<Path>();
        try (var files = Files.walk(folder)) {
            files.forEach(all::add);
        }
        all.sort(Comparator.reverseOrder());
        for (var one : all) {
            Files.deleteIfExists(one);
        }
    }
}
