package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.config.Reload;
import winnow.broker.config.SettingSources;
import winnow.broker.security.UserFile;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

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
        Broker broker =
                new Broker(config, InetAddress.getLoopbackAddress(), 0, 0, this::sources, null);
        brokers = List.of(broker);
        return broker;
    }

    @AfterEach
    void stop() {
        brokers.forEach(Broker::close);
    }

    /// A right is lost in the reload for which another one waits.
    @Test
    void shouldNotReloadForWhoLosesTheRightMeanwhile(@TempDir Path home) throws Exception {
        // given a reload that takes its time, and a user who asks for another one
        Path permissions = home.resolve("permissions.yaml");
        String root = "rules: [{who: root, may: admin}";
        Files.writeString(permissions, root + ", {who: ann, may: admin}]");
        Path users = TestUsers.write(home, UserFile.line("ann", "ann"), UserFile.line("root", "r"));
        BrokerConfig config =
                BrokerConfig.of(
                        Map.of(
                                "security.users", users.toString(),
                                "security.permissions", permissions.toString()));
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        Broker broker =
                new Broker(
                        config,
                        InetAddress.getLoopbackAddress(),
                        0,
                        0,
                        () -> {
                            if (reads.incrementAndGet() == 2) {
                                await(mayEnd);
                            }
                            return new SettingSources(config);
                        },
                        null);
        brokers = List.of(broker);
        Files.writeString(permissions, root + "]");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> first =
                    threads.submit(() -> {
                        broker.reload();
                        return null;
                    });
            while (reads.get() < 2) {
                Thread.onSpinWait();
            }
            Future<HttpResponse<String>> second =
                    threads.submit(() ->
                            BrokerPages.post(
                                    broker,
                                    "/api/v1/reload",
                                    "Authorization",
                                    "Basic YW5uOmFubg=="));
            assertThatThrownBy(() -> second.get(1, TimeUnit.SECONDS))
                    .isInstanceOf(TimeoutException.class);

            // when
            mayEnd.countDown();
            first.get(20, TimeUnit.SECONDS);

            // then
            assertThat(second.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(403);
            assertThat(reads).hasValue(2);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
                    .isEqualTo(
                            "expected at most 2 destinations to publish to on one connection"
                                    + " (session.max-handles), found 3; close some, use another"
                                    + " connection or raise the broker's setting");
        }
    }

    @Test
    void shouldPutNewPoliciesOfQueuesIntoForce() throws IOException {
        // given
        Broker broker = start();
        try (TestClient client = new TestClient(broker.address())) {
            client.greet();
            client.send(DestinationKind.QUEUE, "q", 1, "a");
            client.send(DestinationKind.QUEUE, "q", 1, "b");

            // when
            Files.writeString(file, "queue: {policies: {q*: 'max-messages:1'}}\n");
            broker.reload();

            // then
            client.publishConfirmed(1, "c");
            assertThat(client.await(ControlFrame.PublishRefused.class).message())
                    .contains("queue q is full: it has 2 messages");
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
                    .contains("at most 1 destinations", "(session.max-handles), found 2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://127.0.0.1:8161", "null"})
    void shouldNotReloadForAWebPage(String origin) throws IOException {
        // given
        Broker broker = start();
        Files.writeString(file, "session: {max-handles: 2}\n");

        // when
        HttpResponse<String> answer = BrokerPages.post(broker, "/api/v1/reload", "Origin", origin);

        // then
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("expected no header Origin");
        assertThat(settings(broker)).contains("\"session.max-handles\",\"value\":\"1\"");

        // when somebody asks who is no browser
        assertThat(BrokerPages.post(broker, "/api/v1/reload").statusCode()).isEqualTo(200);

        // then
        assertThat(settings(broker)).contains("\"session.max-handles\",\"value\":\"2\"");
    }

    @Test
    void shouldSayWhereTheValueInForceIsFrom() throws IOException {
        // given
        Broker broker = start();

        // when one takes effect at once and one does not
        Files.writeString(
                file, "session: {max-handles: 2}\ntransport: {event-loops: 3, max-frame: 1MiB}\n");
        broker.reload();

        // then
        assertThat(settings(broker))
                .contains("\"session.max-handles\",\"value\":\"2\",\"source\":\"" + file + ":1\"")
                .containsPattern(
                        "\"transport.event-loops\",\"value\":\"\\d+\",\"source\":\"default\"");
    }

    private static String settings(Broker broker) throws IOException {
        return BrokerPages.get(broker, "/api/v1/settings").body();
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

    @Test
    void shouldCloseConnectionsOfRemovedUsersOnly() throws IOException {
        // given
        Path users =
                TestUsers.write(directory, UserFile.line("anna", "1"), UserFile.line("bert", "2"));
        Files.writeString(file, "security: {users: %s}\n".formatted(users));
        Broker broker = start();
        try (TestClient anna = new TestClient(broker.address());
                TestClient bert = new TestClient(broker.address())) {
            login(anna, "anna", "1");
            login(bert, "bert", "2");

            // when one goes and the other gets another password
            Files.writeString(users, UserFile.line("bert", "3") + "\n");
            broker.reload();

            // then
            ControlFrame.Goodbye goodbye = anna.await(ControlFrame.Goodbye.class);
            assertThat(ErrorCode.ofNumber(goodbye.code())).isEqualTo(ErrorCode.NOT_AUTHORIZED);
            assertThat(goodbye.message())
                    .isEqualTo("user 'anna' is not in security.users any more");
            assertThat(anna.closedByBroker()).isTrue();
            bert.open(1, "a");
        }
    }

    private static void login(TestClient client, String user, String password) throws IOException {
        client.hello(
                new ControlFrame.Hello(0, "", "PLAIN", "\0" + user + "\0" + password, 0, "test"));
        client.expect(ControlFrame.Welcome.class);
    }

    /// What a reload may find, one file of which is wrong or none.
    private enum Fault {
        SETTINGS("'session.heartbeta'"),
        USERS("security.users: "),
        CERTIFICATE("tls.certificate, tls.key: "),
        NONE("");

        private final String message;

        Fault(String message) {
            this.message = message;
        }
    }

    @Test
    void shouldReloadAllOrNothing() throws IOException {
        // given
        writeAll("anna", "first", 1, Fault.NONE);
        Broker broker = start();

        for (Fault fault : List.of(Fault.SETTINGS, Fault.USERS, Fault.CERTIFICATE)) {
            // when
            writeAll("bert", "second", 2, fault);

            // then
            assertThatThrownBy(broker::reload)
                    .as(fault.toString())
                    .hasMessageContaining(fault.message)
                    .hasMessageContaining("; nothing was changed: ");
            HttpResponse<String> settings =
                    BrokerPages.get(broker, "/api/v1/settings", "anna", "secret");
            assertThat(settings.body())
                    .as(fault.toString())
                    .contains("\"session.max-handles\",\"value\":\"1\"");
            assertThat(status(broker, "bert", "secret")).as(fault.toString()).isEqualTo(401);
            assertThat(TestCertificates.subject(broker.address()))
                    .as(fault.toString())
                    .isEqualTo("CN=first");
        }

        // when all is right
        writeAll("bert", "second", 2, Fault.NONE);
        broker.reload();

        // then
        assertThat(BrokerPages.get(broker, "/api/v1/settings", "bert", "secret").body())
                .contains("\"session.max-handles\",\"value\":\"2\"");
        assertThat(status(broker, "anna", "secret")).isEqualTo(401);
        assertThat(TestCertificates.subject(broker.address())).isEqualTo("CN=second");
    }

    private void writeAll(String user, String subject, int maxHandles, Fault fault)
            throws IOException {
        Files.deleteIfExists(directory.resolve("users"));
        Path users =
                TestUsers.write(
                        directory,
                        fault == Fault.USERS ? user + ":nonsense" : UserFile.line(user, "secret"));
        Path certificate =
                TestCertificates.pkcs12(directory.resolve("tls.p12"), subject, "dns:localhost");
        if (fault == Fault.CERTIFICATE) {
            Files.writeString(certificate, "nonsense");
        }
        Path password =
                TestCertificates.ownerOnly(
                        Files.writeString(
                                directory.resolve("password"), TestCertificates.PASSWORD + "\n"));
        Files.writeString(
                file,
                """
                session: {max-handles: %d%s}
                security: {users: %s}
                tls: {certificate: %s, password-file: %s, http: false, reload-interval: 0s}
                """
                        .formatted(
                                maxHandles,
                                fault == Fault.SETTINGS ? ", heartbeta: 1s" : "",
                                users,
                                certificate,
                                password));
    }

    private static int status(Broker broker, String user, String password) throws IOException {
        return BrokerPages.get(broker, "/api/v1/topics", user, password).statusCode();
    }
}
