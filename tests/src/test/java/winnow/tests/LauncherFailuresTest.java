package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.LauncherCheckout.exitCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher `winnow` where something is missing or fails.
class LauncherFailuresTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

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
    void shouldSayAsAnErrorOfTheLogWhyABrokerDoesNotStart() throws Exception {
        // given
        checkout.makeExecutable("bin/mvn", "#!/bin/sh\nexit 1\n");

        // when
        Process broker = checkout.start("err", Map.of("WINNOW_LOG_FORMAT", "JSON"), "broker");

        // then
        assertThat(exitCode(broker)).isEqualTo(1);
        List<String> lines = checkout.text("err").lines().toList();
        JsonNode last = JSON.readTree(lines.getLast());
        assertThat(last.path("level").asText()).isEqualTo("error");
        assertThat(last.path("message").asText()).startsWith("winnow: the build failed");
    }

    @Test
    void shouldRefuseAFolderThatHasNoJdk() throws Exception {
        // when
        Process jdk = checkout.start("err", Map.of("WINNOW_JAVA_HOME", "/nowhere"), "jdk");

        // then
        assertThat(exitCode(jdk)).isEqualTo(2);
        assertThat(checkout.text("err")).contains("WINNOW_JAVA_HOME, found '/nowhere'");
    }

    @Test
    void shouldLookAgainWhereABuildHasReplacedWhatItFound() throws Exception {
        // given
        Files.createFile(home.resolve("go"));
        checkout.build();
        checkout.makeExecutable(
                "bin/readlink",
                """
                #!/bin/sh
                case "$*" in
                    */target/current)
                        if [ ! -f "$WINNOW_HOME/asked" ]; then
                            touch "$WINNOW_HOME/asked"
                            echo "$WINNOW_HOME/target/built-gone"
                            exit 0
                        fi ;;
                esac
                exec /usr/bin/readlink "$@"
                """);

        // when
        Process broker = checkout.start("err", "broker");
        broker.outputWriter().close();
        String classPath = String.valueOf(broker.inputReader().readLine());

        // then
        assertThat(classPath).as(checkout.text("err")).contains("/winnow-broker.jar:");
        assertThat(home.resolve("asked")).exists();
    }

    @Test
    void shouldTryOnceToMakeArchivesThatCannotBeMade() throws Exception {
        // given what "winnow dist" makes: no sources
        Files.delete(home.resolve("broker-server/src/main/Source.java"));
        Files.delete(home.resolve("broker-server/src/main"));
        Files.delete(home.resolve("broker-server/src"));
        Files.createDirectory(home.resolve("lib"));

        // when
        for (int i = 0; i < 2; i++) {
            Process broker = checkout.start("err", "broker");
            broker.outputWriter().close();
            exitCode(broker);
        }

        // then
        assertThat(checkout.text("rehearsals").lines()).hasSize(1);

        // when there is another JDK
        Files.setLastModifiedTime(
                home.resolve("jdk/release"), FileTime.from(Instant.now().plusSeconds(3_600)));
        Process broker = checkout.start("err", "broker");
        broker.outputWriter().close();
        exitCode(broker);

        // then
        assertThat(checkout.text("rehearsals").lines()).hasSize(2);
    }

    @Test
    void shouldSayWhatABuildNeedsWithoutMaven() throws Exception {
        // given
        Files.delete(home.resolve("bin/mvn"));
        checkout.makeExecutable("mvnw", "#!/bin/sh\nexit 1\n");
        Map<String, String> environment =
                Map.of(
                        "PATH", checkout.pathWithout("mvn", "unzip"),
                        "MAVEN_USER_HOME", home.resolve("m2").toString());

        // when
        Process process = checkout.start("err", environment, "install");

        // then
        assertThat(exitCode(process)).isEqualTo(1);
        assertThat(checkout.text("err"))
                .contains("winnow: expected Maven (mvn) or, to unpack one that is fetched, unzip");
    }
}
