package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// A checkout of the launcher `winnow` alone, whose Maven and Java are scripts that note what they
/// are asked for.
final class LauncherCheckout implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 60;

    /// Maven: waits for the file `go`, then writes the jars.
    private static final String MAVEN =
            """
            #!/bin/sh
            echo begin >>"$WINNOW_HOME/builds"
            until [ -f "$WINNOW_HOME/go" ]; do sleep 0.05; done
            for part in broker-server/target/winnow-broker loadgen/target/winnow-loadgen; do
                mkdir -p "$WINNOW_HOME/$(dirname $part)/lib"
                wc -l <"$WINNOW_HOME/builds" >"$WINNOW_HOME/$part.jar"
                echo library >"$WINNOW_HOME/$(dirname $part)/lib/library.jar"
            done
            """;

    /// Java: a broker prints its class path and runs until its input ends.
    private static final String JAVA =
            """
            #!/bin/sh
            case "$*" in
                *' rehearsal '*) echo rehearsal >>"$WINNOW_HOME/rehearsals"; exit 0 ;;
            esac
            while [ "$1" != -cp ]; do shift; done
            echo "$2"
            umask
            echo "$LC_ALL"
            read -r _
            """;

    private final Path home;
    private final List<Process> started = new ArrayList<>();

    /// @param home an empty directory
    LauncherCheckout(Path home) throws IOException {
        this.home = home;
        Files.copy(Path.of("..", "winnow"), home.resolve("winnow"));
        makeExecutable("bin/mvn", MAVEN);
        makeExecutable("jdk/bin/java", JAVA);
        makeExecutable("jdk/bin/javac", "#!/bin/sh\n");
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        Path source = home.resolve("broker-server/src/main/Source.java");
        Files.createDirectories(source.getParent());
        Files.createFile(source);
    }

    @Override
    public void close() {
        started.forEach(Process::destroyForcibly);
    }

    Path file(String name) {
        return home.resolve(name);
    }

    void makeExecutable(String name, String script) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Leaves only these of the system's programs, and those of the checkout, on the path.
    ///
    /// @return the path
    String pathWithout(String... names) throws IOException {
        try (Stream<Path> programs = Files.list(Path.of("/usr/bin"))) {
            for (Path program : programs.toList()) {
                Path link = home.resolve("bin").resolve(program.getFileName());
                if (!List.of(names).contains(String.valueOf(program.getFileName()))) {
                    Files.createSymbolicLink(link, program);
                }
            }
        }
        return home.resolve("bin").toString();
    }

    Process start(String errors, String... arguments) throws IOException {
        return start(errors, Map.of(), arguments);
    }

    Process start(String errors, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", home.resolve("winnow").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("WINNOW_JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().merge("PATH", home.resolve("bin") + ":", (path, bin) -> bin + path);
        builder.environment().putAll(environment);
        Process process =
                builder.redirectError(home.resolve(errors).toFile())
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .start();
        started.add(process);
        return process;
    }

    /// Waits for the end of a process.
    ///
    /// @return its exit code
    static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    void build() throws Exception {
        assertThat(exitCode(start("build.err", "build"))).as(text("build.err")).isZero();
    }

    /// Content of a file, empty if there is none.
    String text(String name) {
        Path file = home.resolve(name);
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            Thread.onSpinWait();
        }
    }
}
