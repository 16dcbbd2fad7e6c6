package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher `winnow`, in a checkout of its own whose Maven and Java are scripts that note what
/// they are asked for.
class LauncherTest {
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
                *--stop-when-ready*) exit 0 ;;
            esac
            while [ "$1" != -cp ]; do shift; done
            echo "$2"
            umask
            echo "$LC_ALL"
            read -r _
            """;

    @TempDir private Path home = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void makeCheckout() throws IOException {
        Path launcher = Path.of("..", "winnow");
        Files.copy(launcher, home.resolve("winnow"));
        makeExecutable("bin/mvn", MAVEN);
        makeExecutable("jdk/bin/java", JAVA);
        makeExecutable("jdk/bin/javac", "#!/bin/sh\n");
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        Path source = home.resolve("broker-server/src/main/Source.java");
        Files.createDirectories(source.getParent());
        Files.createFile(source);
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    private void makeExecutable(String name, String script) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String errors, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", home.resolve("winnow").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("WINNOW_JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().merge("PATH", home.resolve("bin") + ":", (path, bin) -> bin + path);
        Process process =
                builder.redirectError(home.resolve(errors).toFile())
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .start();
        started.add(process);
        return process;
    }

    private void build() throws Exception {
        Process build = start("build.err", "build");
        assertThat(build.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(build.exitValue()).as(text("build.err")).isZero();
    }

    private String text(String name) {
        Path file = home.resolve(name);
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldBuildOnceWhenTwoStartTogether() throws Exception {
        // given
        Process first = start("first.err", "build");
        await("the first build", () -> text("builds").contains("begin"));

        // when
        Process second = start("second.err", "build");
        await("the second to say so", () -> text("second.err").contains("is building here"));
        Files.createFile(home.resolve("go"));

        // then
        for (Process process : List.of(first, second)) {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(text("first.err") + text("second.err")).isZero();
        }
        assertThat(text("builds").lines()).hasSize(1);
    }

    @Test
    void shouldNotChangeWhatABrokerRunsFrom() throws Exception {
        // given
        Files.createFile(home.resolve("go"));
        Process broker = start("broker.err", "broker");
        String classPath = broker.inputReader().readLine();
        assertThat(classPath).as(text("broker.err")).contains("winnow-broker.jar:");
        List<Path> jars = List.of(classPath.split(":", -1)).stream().map(Path::of).toList();

        // when
        changeSource();
        build();
        build();

        // then
        assertThat(text("builds").lines()).hasSize(3);
        assertThat(jars).hasSize(2).allSatisfy(jar -> assertThat(jar).exists());
        assertThat(Files.readString(jars.getFirst()).strip()).isEqualTo("1");

        // when
        broker.outputWriter().close();
        assertThat(broker.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        build();

        // then
        assertThat(jars).allSatisfy(jar -> assertThat(jar).doesNotExist());
    }

    @Test
    void shouldRunABrokerWhoseFilesAreForItsOwnerOnly() throws Exception {
        // given
        Files.createFile(home.resolve("go"));

        // when
        Process broker = start("broker.err", "broker");
        List<String> said = List.of(line(broker), line(broker));
        broker.outputWriter().close();

        // then
        assertThat(said).last().isEqualTo("0077");
    }

    private static String line(Process process) throws IOException {
        return String.valueOf(process.inputReader().readLine());
    }

    /// From now on, every command finds it newer than what was built.
    private void changeSource() throws IOException {
        Files.setLastModifiedTime(
                home.resolve("broker-server/src/main/Source.java"),
                FileTime.from(Instant.now().plusSeconds(3_600)));
    }

    @Test
    void shouldKnowEachCommandThatItLists() throws Exception {
        // given
        Files.createFile(home.resolve("go"));
        build();
        Process help = start("err", "--help");
        List<String> commands =
                help.inputReader()
                        .lines()
                        .filter(line -> line.matches(" {2}[a-z].*"))
                        .map(line -> line.strip().split("[, ]", 2)[0])
                        .toList();

        // when
        List<Integer> codes = new ArrayList<>();
        for (String command : commands) {
            Process process = start("err", "help", command);
            process.outputWriter().close();
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as(command).isTrue();
            codes.add(process.exitValue());
        }

        // then
        assertThat(commands).contains("connection", "queue", "jdk").hasSizeGreaterThan(20);
        // Java's is that of a "read" at the end of its input.
        assertThat(codes).as(text("err")).isSubsetOf(0, 1);
    }

    @Test
    void shouldReadArgumentsInUtf8WhateverTheLocale() throws Exception {
        // given
        Files.createFile(home.resolve("go"));

        // when
        Process pub = start("err", "pub");
        List<String> said = List.of(line(pub), line(pub), line(pub));

        // then
        assertThat(said).as(text("err")).last().isEqualTo("C.UTF-8");
    }

    @Test
    void shouldSuggestTheCommandThatWasMeant() throws Exception {
        // when
        Process process = start("err", "brokr");

        // then
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(text("err").lines())
                .containsExactly(
                        "winnow: unknown command 'brokr'",
                        "Did you mean 'broker'? See 'winnow --help'.");
    }

    @Test
    void shouldSayWhatWasInstalled() throws Exception {
        // given
        Files.createFile(home.resolve("go"));
        Files.writeString(home.resolve("pom.xml"), "<revision>1.2</revision>");

        // when
        Process process = start("err", "install", "-Prelease");

        // then
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(text("err")).isZero();
        assertThat(text("err"))
                .endsWith(
                        "winnow: installed version 1.2 of winnow-client and the other artifacts of"
                                + " org.winnowmq\n");
    }

    @Test
    void shouldSayThatNothingWasInstalled() throws Exception {
        // given
        makeExecutable("bin/mvn", "#!/bin/sh\nexit 1\n");

        // when
        Process process = start("err", "install");

        // then
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(text("err"))
                .endsWith("winnow: the artifacts could not be installed: Maven says above why\n");
    }

    @Test
    void shouldTakeOptionsOfMavenOnlyWhenItInstalls() throws Exception {
        // when
        Process process = start("err", "install", "here");

        // then
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(text("err").lines())
                .containsExactly(
                        "winnow: unexpected argument 'here': expected options of Maven only",
                        "See 'winnow install --help'.");
        assertThat(text("builds")).isEmpty();
    }
}
