package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestUsers;
import winnow.broker.security.UserFile;

/// Asks a file and a real broker what users may do.
class PermissionCommandTest {
    private static final String TEXT =
            """
            groups:
              traders: [ann, bob]
            rules:
              - {who: traders, may: [send, receive], queues: ["orders-*", "inbox-${user}"]}
              - {who: root, may: admin}
            """;

    private final CommandRun ran = new CommandRun();
    private final Path directory;
    private final Path file;

    PermissionCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        file = Files.writeString(directory.resolve("p.yaml"), TEXT);
    }

    private int permission(String... arguments) {
        return ran.execute(PermissionCommand.commandLine(), arguments);
    }

    @Test
    void shouldTellByAFile() {
        assertThat(permission("test", "ann", "send", "queue", "orders-7", "--file", "" + file))
                .as(ran.err())
                .isZero();
        assertThat(ran.out()).isEqualTo("allowed: the rule at " + file + ":4 allows it\n");
        assertThat(permission("test", "ann", "browse", "queue", "orders-7", "--file", "" + file))
                .isEqualTo(1);
        assertThat(ran.out()).isEqualTo("not allowed: no rule of " + file + " allows it\n");
        assertThat(permission("test", "root", "admin", "--file", "" + file)).isZero();
    }

    @Test
    void shouldListAFile() {
        assertThat(permission("list", "--file", "" + file)).as(ran.err()).isZero();
        assertThat(ran.out())
                .isEqualTo(
                        file
                                + """

                                    2  group traders: ann, bob
                                    4  traders may send, receive; queues orders-*, inbox-${user}
                                    5  root may admin
                                """);
    }

    @Test
    void shouldSayWhatIsWrong() throws IOException {
        assertThat(permission("test", "ann", "sent", "queue", "q", "--file", "" + file))
                .isEqualTo(2);
        assertThat(ran.err()).contains("expected one of [send, ").contains("found 'sent'");
        assertThat(permission("test", "ann", "send", "client", "q", "--file", "" + file))
                .isEqualTo(2);
        assertThat(ran.err()).contains("expected what 'send' is about, queue or topic");
        Files.writeString(file, "rules: []\n");
        assertThat(permission("list", "--file", "" + file)).isEqualTo(1);
        assertThat(ran.err()).contains(file + ":1: expected a rule that gives somebody 'admin'");
    }

    @Test
    void shouldSayThatAListIsNotWhole() throws IOException {
        // given
        Path users =
                TestUsers.write(
                        directory, UserFile.line("root", "root"), UserFile.line("ann", "ann"));
        Path password = Files.writeString(directory.resolve("ann"), "ann\n");
        Map<String, String> settings =
                Map.of("security.users", users.toString(), "security.permissions", file.toString());
        try (Broker broker =
                new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0)) {
            String[] arguments = {
                "list",
                "--url=http://127.0.0.1:" + broker.httpAddress().getPort(),
                "--user=ann",
                "--password-file=" + password
            };

            // when, then
            assertThat(ran.execute(QueueCommand.commandLine(), arguments)).as(ran.err()).isZero();
            assertThat(ran.out()).endsWith("QUEUE\nnone that you may view\n");
            assertThat(ran.execute(TopicCommand.commandLine(), arguments)).isZero();
            assertThat(ran.out()).isEqualTo("none that you may view\n");
            assertThat(ran.execute(ConnectionCommand.commandLine(), arguments)).isZero();
            assertThat(ran.out()).isEqualTo("none that you may view\n");
            assertThat(ran.execute(TransactionCommand.commandLine(), arguments)).isZero();
            assertThat(ran.out()).isEqualTo("none that you may decide\n");
        }
    }

    @Test
    void shouldAskABroker() throws IOException {
        // given
        Path users =
                TestUsers.write(
                        directory, UserFile.line("root", "root"), UserFile.line("ann", "ann"));
        Path password = Files.writeString(directory.resolve("root"), "root\n");
        Map<String, String> settings =
                Map.of("security.users", users.toString(), "security.permissions", file.toString());
        try (Broker broker =
                new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0)) {
            String[] access = {
                "--url=http://127.0.0.1:" + broker.httpAddress().getPort(),
                "--user=root",
                "--password-file=" + password
            };

            // then
            assertThat(permission("list", access[0], access[1], access[2])).isZero();
            assertThat(ran.out()).contains("5  root may admin");
            assertThat(
                            permission(
                                    "test",
                                    "bob",
                                    "receive",
                                    "queue",
                                    "inbox-bob",
                                    access[0],
                                    access[1],
                                    access[2]))
                    .as(ran.err())
                    .isZero();
            assertThat(ran.out()).isEqualTo("allowed: the rule at " + file + ":4 allows it\n");
        }
    }
}
