package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.config.Reload;
import winnow.broker.config.SettingSources;
import winnow.broker.session.UserFile;
import winnow.wire.ControlFrame;
import winnow.wire.DestinationKind;

/// Settings that are read again while the broker runs.
class ReloadTest {
    @TempDir private Path directory = Path.of("");

    private Path file = Path.of("");
    private List<Broker> brokers = List.of();

    @BeforeEach
    void prepare() throws IOException {
        file = Files.writeString(directory.resolve("a.yaml"), "session: {max-handles: 1}\n");
    }

    private SettingSources sources() {
        return new SettingSources(BrokerConfig.DEFAULTS).file(file);
    }

    private Broker start() throws IOException {
        BrokerConfig config = sources().read(BrokerConfig.class);
        Broker broker = new Broker(config, InetAddress.getLoopbackAddress(), 0, 0, this::sources);
        brokers = List.of(broker);
        return broker;
    }

    @AfterEach
    void stop() {
        brokers.forEach(Broker::close);
    }

    @Test
    void shouldPutNewLimitsIntoForce() throws IOException {
        // given
        Broker broker = start();
        try (TestClient client = new TestClient(broker.address())) {
            client.greet();
            client.open(1, "a");

            // when
            Files.writeString(file, "session: {max-handles: 2}\n");
            broker.reload();

            // then
            client.open(2, "b");
            client.send(new ControlFrame.Open(9, 3, DestinationKind.TOPIC, "c"));
            assertThat(client.expect(ControlFrame.Refused.class).message())
                    .isEqualTo("session.max-handles is 2");
        }
    }

    @Test
    void shouldSayWhatNeedsARestart() throws IOException {
        // when
        BrokerConfig before = sources().read(BrokerConfig.class);
        Files.writeString(
                file,
                """
                session: {heartbeat: 5s}
                transport: {event-loops: 3, drain-timeout: 1s}
                """);
        Reload<BrokerConfig> reload = Reload.of(before, sources().read(BrokerConfig.class));

        // then
        assertThat(reload.changed())
                .containsExactly(
                        new Reload.Change("session.heartbeat", "15s", "5s"),
                        new Reload.Change("session.max-handles", "1", "1000"),
                        new Reload.Change("transport.drain-timeout", "5s", "1s"));
        assertThat(reload.needsRestart())
                .containsExactly(new Reload.Change("transport.event-loops", "0", "3"));
        assertThat(reload.config().session().heartbeat()).isEqualTo(Duration.ofSeconds(5));
        assertThat(reload.config().transport().eventLoops()).isZero();
    }

    @Test
    void shouldChangeNothingWhereSomethingIsWrong() throws IOException {
        // given
        Broker broker = start();

        // when
        Files.writeString(file, "session: {max-handles: 5, heartbeta: 1s}\n");

        // then
        assertThatThrownBy(broker::reload).hasMessageContaining("'session.heartbeta'");

        // when
        Files.writeString(file, "security: {users: missing}\n");

        // then
        assertThatThrownBy(broker::reload).hasMessageContaining("needs a restart");
        try (TestClient client = new TestClient(broker.address())) {
            client.greet();
            client.open(1, "a");
            client.send(new ControlFrame.Open(9, 2, DestinationKind.TOPIC, "c"));
            assertThat(client.expect(ControlFrame.Refused.class).message())
                    .isEqualTo("session.max-handles is 1");
        }
    }

    @Test
    void shouldReadUsersAgain() throws IOException {
        // given
        Path users = TestUsers.write(directory, UserFile.line("anna", "1"));
        Files.writeString(file, "security: {users: %s}\n".formatted(users));
        Broker broker = start();
        assertThat(status(broker, "anna", "1")).isEqualTo(200);

        // when
        Files.writeString(users, UserFile.line("bert", "2") + "\n");
        broker.reload();

        // then
        assertThat(status(broker, "bert", "2")).isEqualTo(200);
        assertThat(status(broker, "anna", "1")).isEqualTo(401);
    }

    private static int status(Broker broker, String user, String password) throws IOException {
        return BrokerPages.get(broker, "/api/v1/topics", user, password).statusCode();
    }
}
