package winnow.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.BrokerConfig;

class SettingSourcesTest {
    @TempDir private Path directory = Path.of("");

    private final SettingSources sources = new SettingSources(BrokerConfig.DEFAULTS);

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private BrokerConfig read() {
        return sources.read(BrokerConfig.class);
    }

    @Test
    void shouldTakeLaterSourcesOverEarlierOnes() throws IOException {
        // given
        Path yaml =
                file(
                        "a.yaml",
                        """
                        subscription:
                          buffer: 2MiB
                          total-buffer: 64MiB
                        session.max-handles: 7
                        """);

        // when
        sources.file(yaml)
                .environment(
                        Map.of(
                                "WINNOW_SUBSCRIPTION_TOTAL_BUFFER", "65MiB",
                                "WINNOW_SESSION_MAX_HANDLES", "8"))
                .put("session.max-handles", "9", "--set");

        // then
        assertThat(read().subscription().buffer()).isEqualTo(ByteSize.ofMebibytes(2));
        assertThat(read().subscription().totalBuffer()).isEqualTo(ByteSize.ofMebibytes(65));
        assertThat(read().session().maxHandles()).isEqualTo(9);
        assertThat(sources.source("subscription.buffer")).isEqualTo(yaml + ":2");
        assertThat(sources.source("subscription.total-buffer"))
                .isEqualTo("environment variable WINNOW_SUBSCRIPTION_TOTAL_BUFFER");
        assertThat(sources.source("session.max-handles")).isEqualTo("--set");
        assertThat(sources.source("http.port")).isEqualTo(SettingSources.DEFAULT);
    }

    @Test
    void shouldReadRulesAsListsAndMappings() throws IOException {
        // when
        sources.file(
                file(
                        "a.yaml",
                        """
                        destination:
                          matching-by-topic: [a=linear, b=indexed]
                          slow-consumers:
                            prices-*: drop-oldest:0s
                            orders: disconnect:30s
                        """));

        // then
        assertThat(ConfigReader.text(read().destination().matchingByTopic()))
                .isEqualTo("a=linear,b=indexed");
        assertThat(ConfigReader.text(read().destination().slowConsumers()))
                .isEqualTo("prices-*=drop-oldest:0s,orders=disconnect:30s");
    }

    @Test
    void shouldNameSourceKeyAndNearestKeyOfEachProblem() throws IOException {
        // given
        Path yaml =
                file(
                        "a.yaml",
                        """
                        subscription:
                          total-bufer: 1GiB
                        session: {heartbeat: 5, max-handles: 0}
                        subscripton: {buffer: 3}
                        transport:
                          frameBuffer: 3
                          port:
                          bind: [a, {b: c}]
                          max-connections: 1
                          max-connections: 2
                        http: 3
                        """);

        // when
        sources.file(yaml)
                .environment(Map.of("WINNOW_SUBSCRIPTION_BUFER", "1"))
                .put("max-subscription", "1", "--set");

        // then
        assertThatThrownBy(this::read)
                .extracting(error -> String.valueOf(error.getMessage()).lines().toList())
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .containsExactly(
                        yaml
                                + ":2: unknown setting 'subscription.total-bufer'; did you mean"
                                + " 'subscription.total-buffer'?",
                        yaml
                                + ":4: unknown setting 'subscripton.buffer'; did you mean"
                                + " 'subscription.buffer'?",
                        yaml
                                + ":6: unknown setting 'transport.frameBuffer'; did you mean"
                                + " 'transport.frame-buffer'?",
                        yaml + ":7: transport.port: expected a value, found none or too much",
                        yaml + ":8: transport.bind: expected a value, found none or too much",
                        yaml + ":10: 'transport.max-connections' is set on line 9, too",
                        yaml + ":11: expected settings below 'http'",
                        "environment variable WINNOW_SUBSCRIPTION_BUFER: no such setting; did you"
                                + " mean 'WINNOW_SUBSCRIPTION_BUFFER'?",
                        "--set: unknown setting 'max-subscription'; did you mean"
                                + " 'session.max-subscriptions'?",
                        yaml
                                + ":3: session.heartbeat: expected a duration of up to 9 digits"
                                + " such as 500ms, 5s or 2m, found '5'",
                        yaml + ":3: session.max-handles: expected 1 to 65536, found 0");
    }

    @Test
    void shouldMakeNoObjectsAndFollowNoEndlessAliases() throws IOException {
        // when
        sources.file(file("a.yaml", "!!javax.script.ScriptEngineManager [x]"))
                .file(file("b.yaml", "a: &x {b: *x, c: *x}\n"))
                .file(file("c.yaml", "a: [b\n"))
                .file(file("d.yaml", "#".repeat((1 << 20) + 1)))
                .file(directory.resolve("missing"));

        // then
        assertThatThrownBy(this::read)
                .hasMessageContaining("a.yaml:1: expected sections of settings")
                .hasMessageContaining("b.yaml:1: unknown setting 'a.b.b.b'")
                .hasMessageContaining("c.yaml:2: expected YAML, found: ")
                .hasMessageContaining("d.yaml: expected at most 1048576 bytes, found more")
                .hasMessageContaining("missing: no such file or directory");
    }

    @Test
    void shouldTakeNothingFromAnEmptyFile() throws IOException {
        // when
        sources.file(file("a.yaml", "# nothing\n"));

        // then
        assertThat(read()).isEqualTo(BrokerConfig.DEFAULTS);
    }

    @Test
    void shouldReadValuesFromFilesThatVariablesName() throws IOException {
        // when
        sources.environment(
                Map.of("WINNOW_SESSION_MAX_HANDLES_FILE", file("v", " 12\n").toString()));

        // then
        assertThat(read().session().maxHandles()).isEqualTo(12);
    }

    @Test
    void shouldSayWhichFileOfAVariableIsMissing() {
        // when
        sources.environment(Map.of("WINNOW_SESSION_MAX_HANDLES_FILE", "/no/such/file"));

        // then
        assertThatThrownBy(this::read)
                .hasMessage(
                        "environment variable WINNOW_SESSION_MAX_HANDLES_FILE: /no/such/file: no"
                                + " such file or directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{", "- "})
    void shouldRefuseTooManyListsInLists(String begin) throws IOException {
        // when
        sources.file(file("deep.yaml", begin.repeat(100_000)));

        // then
        assertThatThrownBy(this::read).hasMessageContaining("deep.yaml: expected at most a few");
    }

    @Test
    void shouldNotReadAFileWithoutEnd() {
        // when
        sources.environment(Map.of("WINNOW_SESSION_MAX_HANDLES_FILE", "/dev/zero"));

        // then
        assertThatThrownBy(this::read)
                .hasMessageEndingWith("/dev/zero: expected at most 65536 bytes, found more");
    }

    /// Kubernetes sets such variables for a service whose name begins with `winnow`.
    @Test
    void shouldIgnoreVariablesThatAreNotSettings() {
        // when
        sources.environment(
                Map.of(
                        "WINNOW_USER", "u",
                        "WINNOW_PASSWORD_FILE", "f",
                        "WINNOW_TOKEN_FILE", "t",
                        "WINNOW_HOME", "h",
                        "WINNOW_SERVICE_HOST", "10.0.0.1",
                        "WINNOW_BROKER_SERVICE_PORT_JMS", "61616",
                        "WINNOW_PORT_61616_TCP_ADDR", "10.0.0.1",
                        "WINNOW_PORT", "tcp://10.0.0.1:61616",
                        "WINNOW_HTTP_PORT", "tcp://10.0.0.1:8161",
                        "PATH", "/bin"));

        // then
        assertThat(read()).isEqualTo(BrokerConfig.DEFAULTS);
    }

    @Test
    void shouldHaveAVariableOfItsOwnForEachSetting() {
        // when
        Set<String> names = new HashSet<>();
        for (String key : sources.keys()) {
            names.add(EnvironmentSettings.variable(key));
            names.add(EnvironmentSettings.variable(key) + "_FILE");
        }

        // then
        assertThat(names)
                .hasSize(2 * sources.keys().size())
                .doesNotContainAnyElementsOf(EnvironmentSettings.OTHER_NAMES);
    }
}
