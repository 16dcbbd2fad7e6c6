package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.LauncherCheckout.await;
import static winnow.tests.LauncherCheckout.exitCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher `winnow`, in a checkout of its own.
class LauncherTest {
    @TempDir private Path home = Path.of("");

    private LauncherCheckout checkout;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = new LauncherCheckout(home);
    }

    @AfterEach
    void endAll() {
        checkout.close();
    }

    @Test
    void shouldBuildOnceWhenTwoStartTogether() throws Exception {
        // given
        Process first = checkout.start("first.err", "build");
        await("the first build", () -> checkout.text("builds").contains("begin"));

        // when
        Process second = checkout.start("second.err", "build");
        await(
                "the second to say so",
                () -> checkout.text("second.err").contains("is building here"));
        Files.createFile(home.resolve("go"));

        // then
        for (Process process : List.of(first, second)) {
            assertThat(exitCode(process))
                    .as(checkout.text("first.err") + checkout.text("second.err"))
                    .isZero();
        }
        assertThat(checkout.text("builds").lines()).hasSize(1);
    }

    @Test
    void shouldNotChangeWhatABrokerRunsFrom() throws Exception {
        // given
        Files.createFile(home.resolve("go"));
        Process broker = checkout.start("broker.err", "broker");
        String classPath = broker.inputReader().readLine();
        assertThat(classPath).as(checkout.text("broker.err")).contains("winnow-broker.jar:");
        List<Path> jars = List.of(classPath.split(":", -1)).stream().map(Path::of).toList();

        // when
        changeSource();
        checkout.build();
        checkout.build();

        // then
        assertThat(checkout.text("builds").lines()).hasSize(3);
        assertThat(jars).hasSize(2).allSatisfy(jar -> assertThat(jar).exists());
        assertThat(Files.readString(jars.getFirst()).strip()).isEqualTo("1");

        // when
        broker.outputWriter().close();
        exitCode(broker);
        checkout.build();

        // then
        assertThat(jars).allSatisfy(jar -> assertThat(jar).doesNotExist());
    }

    @Test
    void shouldRunABrokerWhoseFilesAreForItsOwnerOnly() throws Exception {
        // given
        Files.createFile(home.resolve("go"));

        // when
        Process broker = checkout.start("broker.err", "broker");
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
        checkout.build();
        Process help = checkout.start("err", "--help");
        List<String> commands =
                help.inputReader()
                        .lines()
                        .filter(line -> line.matches(" {2}[a-z].*"))
                        .map(line -> line.strip().split("[, ]", 2)[0])
                        .toList();

        // when
        List<Integer> codes = new ArrayList<>();
        for (String command : commands) {
            Process process = checkout.start("err", "help", command);
            process.outputWriter().close();
            codes.add(exitCode(process));
        }

        // then
        assertThat(commands).contains("connection", "queue", "jdk").hasSizeGreaterThan(20);
        // Java's is that of a "read" at the end of its input.
        assertThat(codes).as(checkout.text("err")).isSubsetOf(0, 1);
    }

    @Test
    void shouldReadArgumentsInUtf8WhateverTheLocale() throws Exception {
        // given
        Files.createFile(home.resolve("go"));

        // when
        Process pub = checkout.start("err", "pub");
        List<String> said = List.of(line(pub), line(pub), line(pub));

        // then
        assertThat(said).as(checkout.text("err")).last().isEqualTo("C.UTF-8");
    }

    @Test
    void shouldSuggestTheCommandThatWasMeant() throws Exception {
        // when
        Process process = checkout.start("err", "brokr");

        // then
        assertThat(exitCode(process)).isEqualTo(2);
        assertThat(checkout.text("err").lines())
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
        Process process = checkout.start("err", "install", "-Prelease");

        // then
        assertThat(exitCode(process)).as(checkout.text("err")).isZero();
        assertThat(checkout.text("err"))
                .endsWith(
                        "winnow: installed version 1.2 of winnow-client and the other artifacts of"
                                + " org.winnowmq\n");
    }

    @Test
    void shouldSayWhatItIsBuilding() throws Exception {
        // given
        checkout.makeExecutable(
                "bin/mvn",
                """
                #!/bin/sh
                echo '[INFO] Building Winnow 0.1                       [1/2]'
                echo '[INFO] Building jar: /a.jar'
                echo '[INFO] Building winnow-client 0.1                [2/2]'
                """);
        Files.writeString(home.resolve("pom.xml"), "<revision>1.2</revision>");

        // when
        Process process = checkout.start("err", "install");

        // then
        exitCode(process);
        assertThat(checkout.text("err").lines())
                .startsWith(
                        "winnow: installing the artifacts for applications...",
                        "winnow: building Winnow 0.1, 1/2",
                        "winnow: building winnow-client 0.1, 2/2");
    }

    @Test
    void shouldUseTheWrapperWithoutMaven() throws Exception {
        // given a path with everything but Maven
        Files.delete(home.resolve("bin/mvn"));
        checkout.makeExecutable("mvnw", "#!/bin/sh\necho \"$@\" >>\"$WINNOW_HOME/builds\"\n");
        Files.writeString(home.resolve("pom.xml"), "<revision>1.2</revision>");
        String path = checkout.pathWithout("mvn");

        // when
        Process process = checkout.start("err", Map.of("PATH", path), "install");

        // then
        assertThat(exitCode(process)).as(checkout.text("err")).isZero();
        assertThat(checkout.text("builds")).contains("-Pquick").contains("install");
    }

    @Test
    void shouldPrintJsonBeforeABrokerWhoseLogIsJson() throws Exception {
        // given
        Files.createFile(home.resolve("go"));

        // when
        Process broker = checkout.start("err", Map.of("WINNOW_LOG_FORMAT", "Json"), "broker");
        broker.outputWriter().close();

        // then
        exitCode(broker);
        assertThat(checkout.text("err").lines())
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line)
                                .matches("[{]\"time\":\"[0-9-]+T[0-9:]+[.][0-9]{3}Z\",.*\"[}]")
                                .contains("\"level\":\"info\",\"thread\":\"launcher\"")
                                .contains("\"logger\":\"winnow\",\"message\":\"winnow: "));
    }

    @Test
    void shouldCompleteInBash() throws Exception {
        // given what the programs would print
        Files.createFile(home.resolve("go"));
        checkout.makeExecutable(
                "jdk/bin/java",
                """
                #!/bin/sh
                case "$*" in
                    *winnow.broker.BrokerCompletion*) name=broker ;;
                    *winnow.loadgen.LoadCompletion*) name=load ;;
                    *) exit 0 ;;
                esac
                echo "function _complete_winnow_$name() { COMPREPLY=($name); }"
                """);
        Process completion = checkout.start("err", "completion", "bash");
        Path script = home.resolve("completion");
        Files.write(script, completion.getInputStream().readAllBytes());

        // then
        assertThat(completed(script, "winnow qu")).isEqualTo("queue");
        assertThat(completed(script, "winnow queue li")).isEqualTo("broker");
        assertThat(completed(script, "winnow sub --s")).isEqualTo("load");
        Process wrong = checkout.start("err", "completion", "fish");
        assertThat(exitCode(wrong)).isEqualTo(2);
    }

    /// Words that bash offers for the last one of a line.
    private String completed(Path script, String line) throws IOException {
        String text =
                "source %s; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _winnow;"
                                .formatted(script, line)
                        + " echo \"${COMPREPLY[*]}\"";
        Process bash =
                new ProcessBuilder("bash", "-c", text)
                        .redirectError(home.resolve("bash.err").toFile())
                        .start();
        return String.valueOf(bash.inputReader().readLine()) + checkout.text("bash.err");
    }

    @Test
    void shouldSayThatNothingWasInstalled() throws Exception {
        // given
        checkout.makeExecutable("bin/mvn", "#!/bin/sh\nexit 1\n");

        // when
        Process process = checkout.start("err", "install");

        // then
        assertThat(exitCode(process)).isEqualTo(1);
        assertThat(checkout.text("err"))
                .endsWith("winnow: the artifacts could not be installed: Maven says above why\n");
    }

    @Test
    void shouldTakeOptionsOfMavenOnlyWhenItInstalls() throws Exception {
        // when
        Process process = checkout.start("err", "install", "here");

        // then
        assertThat(exitCode(process)).isEqualTo(2);
        assertThat(checkout.text("err").lines())
                .containsExactly(
                        "winnow: unexpected argument 'here': expected options of Maven only",
                        "See 'winnow install --help'.");
        assertThat(checkout.text("builds")).isEmpty();
    }
}
