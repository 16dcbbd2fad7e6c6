package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import winnow.broker.identity.TestDirectory;
import winnow.broker.permission.AuditEvent;
import winnow.broker.security.UserFile;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramClient;

/// Users of a directory on both ports of a broker.
class DirectoryLoginTest {
    private static final String RULES =
            """
            rules:
              - {who: root, may: admin}
              - {who: "ldap:CN=Desk, ou=groups,dc=acme", may: [send, admin], queues: "*"}
            """;

    private final TestDirectory people = new TestDirectory(null);
    private final Path directory;
    private final Map<String, String> settings;

    DirectoryLoginTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        settings = new HashMap<>(people.settings(directory));
        settings.put(
                "security.permissions",
                Files.writeString(directory.resolve("rules.yaml"), RULES).toString());
    }

    @AfterEach
    void stop() {
        people.close();
    }

    private Broker start() throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private static ControlFrame.Hello hello(String mechanism, String response) {
        return new ControlFrame.Hello(Protocol.STORED, "", mechanism, response, 0, "test");
    }

    private static ControlFrame answer(Broker broker, String mechanism, String response)
            throws IOException {
        try (TestClient client = new TestClient(broker.address())) {
            client.hello(hello(mechanism, response));
            return client.expect(ControlFrame.class);
        }
    }

    private static HttpResponse<String> settings(Broker broker, String user, String password)
            throws IOException {
        return BrokerPages.get(broker, "/api/v1/settings", user, password);
    }

    @Test
    void shouldTakeUsersOfTheDirectory() throws Exception {
        try (Broker broker = start();
                TestClient ann = new TestClient(broker.address())) {
            ann.hello(hello("PLAIN", "\0ann\0ann"));
            ann.expect(ControlFrame.Welcome.class);
            ann.send(new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "orders"));
            ann.expect(ControlFrame.Accepted.class);

            assertThat(settings(broker, "ann", "ann").statusCode()).isEqualTo(200);
            assertThat(settings(broker, "ann", "bob").statusCode()).isEqualTo(401);
            assertThat(settings(broker, "ann", "").statusCode()).isEqualTo(401);
            assertThat(settings(broker, "*)(uid=*", "ann").statusCode()).isEqualTo(401);
            assertThat(settings(broker, "bob", "bob").statusCode()).isEqualTo(403);
            assertThat(answer(broker, "PLAIN", "\0bob\0wrong").toString())
                    .contains("user or password is wrong");
            assertThat(answer(broker, "PLAIN", "\0bob\0").toString())
                    .contains("user or password is wrong");
            assertThat(answer(broker, "SCRAM-SHA-256", "n,,n=ann,r=abc").toString())
                    .contains("log in by mechanism=PLAIN over TLS");
            assertThat(answer(broker, "ANONYMOUS", "").toString())
                    .contains("this broker demands a user and a password");
        }
    }

    @Test
    void shouldAskTheFileForUsersWhoAreThere() throws Exception {
        settings.put(
                "security.users",
                TestUsers.write(directory, UserFile.line("ann", "other")).toString());
        try (Broker broker = start();
                TestClient scram = new TestClient(broker.address())) {
            assertThat(answer(broker, "PLAIN", "\0ann\0other"))
                    .isInstanceOf(ControlFrame.Welcome.class);
            assertThat(answer(broker, "PLAIN", "\0ann\0ann"))
                    .isInstanceOf(ControlFrame.Goodbye.class);
            assertThat(answer(broker, "PLAIN", "\0ANN\0ann").toString())
                    .contains("expected a user who is not in security.users, found 'ann'");
            assertThat(answer(broker, "PLAIN", "\0bob\0bob"))
                    .isInstanceOf(ControlFrame.Welcome.class);

            ScramClient bob = new ScramClient("bob", "bob");
            scram.hello(hello("SCRAM-SHA-256", bob.first()));
            String challenge = scram.expect(ControlFrame.Challenge.class).data();
            scram.send(new ControlFrame.Response(bob.last(challenge)));
            assertThat(scram.expect(ControlFrame.Goodbye.class).message())
                    .startsWith("user or password is wrong; users of the directory");
        }
    }

    @Test
    void shouldMeasureTheTimeOfQuestions() throws Exception {
        try (Broker broker = start()) {
            assertThat(settings(broker, "ann", "ann").statusCode()).isEqualTo(200);
            assertThat(settings(broker, "ann", "ann").statusCode()).isEqualTo(200);
            assertThat(settings(broker, "bob", "wrong").statusCode()).isEqualTo(401);

            assertThat(BrokerPages.get(broker, "/metrics").body())
                    .contains(
                            "winnow_authentication_check_seconds_count{by=\"directory\"} 2\n",
                            "winnow_authentication_check_seconds_count{by=\"token\"} 0\n");
        }
    }

    /// The client is told the same of all refusals.
    @Test
    void shouldTellOperatorsWhyAUserIsRefused() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(AuditEvent.LOGGER);
        ListAppender<ILoggingEvent> audit = new ListAppender<>();
        audit.start();
        logger.addAppender(audit);
        try (Broker broker = start()) {
            for (String user : List.of("bob", "eve")) {
                assertThat(answer(broker, "PLAIN", "\0" + user + "\0wrong").toString())
                        .contains("user or password is wrong")
                        .doesNotContain("entry", "directory");
                assertThat(settings(broker, user, "wrong").body())
                        .contains("user or password is wrong")
                        .doesNotContain("entry", "directory");
            }
        } finally {
            logger.detachAppender(audit);
        }
        assertThat(audit.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.startsWith("user or password is wrong: entry"))
                .hasSize(2)
                .allMatch(line -> line.contains("the directory says 'invalid credentials' (49)"));
        assertThat(audit.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.endsWith("finds no entry of that name"))
                .hasSize(2);
    }

    @Test
    void shouldSayThatTheDirectoryIsAway() throws Exception {
        try (Broker broker = start();
                TestClient ann = new TestClient(broker.address())) {
            ann.hello(hello("PLAIN", "\0ann\0ann"));
            ann.expect(ControlFrame.Welcome.class);

            people.close();

            HttpResponse<String> bob = settings(broker, "bob", "bob");
            assertThat(bob.statusCode()).isEqualTo(503);
            assertThat(bob.body()).contains("the directory could not be asked about the user");
            ControlFrame.Goodbye goodbye =
                    (ControlFrame.Goodbye) answer(broker, "PLAIN", "\0bob\0bob");
            assertThat(goodbye.code()).isEqualTo(ErrorCode.AUTHENTICATION_UNAVAILABLE.number());
            ann.send(new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "orders"));
            ann.expect(ControlFrame.Accepted.class);
        }
    }

    @Test
    void shouldRememberAPasswordThatWasRight() throws Exception {
        try (Broker broker = start()) {
            assertThat(settings(broker, "ann", "ann").statusCode()).isEqualTo(200);

            people.close();

            assertThat(settings(broker, "ann", "ann").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldSeeNewGroupsAtAReload() throws Exception {
        try (Broker broker = start();
                TestClient ann = new TestClient(broker.address())) {
            ann.hello(hello("PLAIN", "\0ann\0ann"));
            ann.expect(ControlFrame.Welcome.class);
            ann.send(new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "orders"));
            ann.expect(ControlFrame.Accepted.class);
            assertThat(settings(broker, "bob", "bob").statusCode()).isEqualTo(403);

            people.promoteBob();
            assertThat(settings(broker, "bob", "bob").statusCode()).isEqualTo(403);
            broker.reload();

            assertThat(settings(broker, "bob", "bob").statusCode()).isEqualTo(200);
        }
    }
}
