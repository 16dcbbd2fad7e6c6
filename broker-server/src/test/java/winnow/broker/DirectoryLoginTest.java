package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.identity.TestDirectory;
import winnow.broker.session.UserFile;
import winnow.wire.ControlFrame;
import winnow.wire.DestinationKind;

/// Users of a directory on both ports of a broker.
class DirectoryLoginTest {
    private static final String RULES =
            """
            rules:
              - {who: root, may: admin}
              - {who: "ldap:cn=desk,ou=groups,dc=acme", may: [send, view], queues: "*"}
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
        return new Broker(
                BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private static ControlFrame answer(Broker broker, String mechanism, String response)
            throws IOException {
        try (TestClient client = new TestClient(broker.address())) {
            client.hello(new ControlFrame.Hello(0, "", mechanism, response, 0, "test"));
            return client.expect(ControlFrame.class);
        }
    }

    @Test
    void shouldTakeUsersOfTheDirectory() throws Exception {
        try (Broker broker = start();
                TestClient ann = new TestClient(broker.address())) {
            ann.hello(new ControlFrame.Hello(0, "", "PLAIN", "\0ann\0ann", 0, "test"));
            ann.expect(ControlFrame.Welcome.class);
            ann.send(new ControlFrame.Open(1, 1, DestinationKind.QUEUE, "orders"));
            ann.expect(ControlFrame.Accepted.class);

            assertThat(BrokerPages.get(broker, "/api/v1/queues", "ann", "ann").statusCode())
                    .isEqualTo(200);
            assertThat(BrokerPages.get(broker, "/api/v1/queues", "ann", "bob").statusCode())
                    .isEqualTo(401);
            assertThat(BrokerPages.get(broker, "/api/v1/queues/orders", "bob", "bob").statusCode())
                    .isEqualTo(404);
            assertThat(answer(broker, "PLAIN", "\0bob\0wrong").toString())
                    .contains("user or password is wrong");
            assertThat(answer(broker, "SCRAM-SHA-256", "n,,n=ann,r=abc").toString())
                    .contains("connect with the mechanism PLAIN");
            assertThat(answer(broker, "ANONYMOUS", "").toString())
                    .contains("this broker demands a user and a password");
        }
    }

    @Test
    void shouldAskTheFileForUsersWhoAreThere() throws Exception {
        settings.put(
                "security.users",
                TestUsers.write(directory, UserFile.line("ann", "other")).toString());
        try (Broker broker = start()) {
            assertThat(answer(broker, "PLAIN", "\0ann\0other"))
                    .isInstanceOf(ControlFrame.Welcome.class);
            assertThat(answer(broker, "PLAIN", "\0ann\0ann"))
                    .isInstanceOf(ControlFrame.Goodbye.class);
            assertThat(answer(broker, "PLAIN", "\0bob\0bob"))
                    .isInstanceOf(ControlFrame.Welcome.class);
        }
    }

    @Test
    void shouldRememberAPasswordThatWasRight() throws Exception {
        try (Broker broker = start()) {
            assertThat(BrokerPages.get(broker, "/api/v1/queues", "ann", "ann").statusCode())
                    .isEqualTo(200);
            people.close();

            assertThat(BrokerPages.get(broker, "/api/v1/queues", "ann", "ann").statusCode())
                    .isEqualTo(200);
            assertThat(BrokerPages.get(broker, "/api/v1/queues", "bob", "bob").body())
                    .contains("the directory could not be asked about the user");
        }
    }
}
