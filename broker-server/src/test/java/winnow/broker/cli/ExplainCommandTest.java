package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestClient;
import winnow.broker.TestUsers;
import winnow.broker.security.UserFile;

/// Asks a real broker.
class ExplainCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Broker broker;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings = Map.of("destination.matching-by-topic", "old=linear");
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        client = TestClient.connect(broker);
        client.subscribe(1, "prices and more", "region = 'EU' AND price + 1 > 10", "");
        client.subscribe(2, "old", "x <> 'a'", "");
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private int run(String... arguments) {
        CommandLine line = ExplainCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private String url() {
        return "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    @Test
    void shouldListTopicsAndSubscriptions() {
        // when
        int topics = run(url());
        int subscriptions = run(url(), "prices and more");

        // then
        assertThat(topics + subscriptions).isZero();
        assertThat(out.toString())
                .contains("indexed               1               0  prices and more")
                .contains("linear                1               0  old")
                .containsPattern(
                        "1  connection \\w+ at /127\\S+ +region = 'EU' AND price \\+ 1 > 10");
    }

    @Test
    void shouldListAllPages() throws IOException {
        // given more subscriptions than a page has
        for (int id = 3; id < 250; id++) {
            client.subscribe(id, "many", "n = " + id, "");
        }

        // when
        int code = run(url(), "many");

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).contains("n = 3\n", "n = 102\n", "n = 103\n", "n = 249\n");
    }

    @Test
    void shouldExplainASelector() {
        // when
        int code = run(url(), "prices and more", "1");

        // then
        assertThat(code).isZero();
        assertThat(out.toString().lines())
                .contains(
                        "selector      region = 'EU' AND price + 1 > 10",
                        "found by      its key, then tested",
                        "key           equality: region = 'EU'",
                        "observed      nothing yet: no message was sampled");
    }

    @Test
    void shouldExplainWithoutAnIndex() {
        // when
        int code = run(url(), "old", "1");

        // then
        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("found by      evaluating every selector of the topic (matching=linear)")
                .contains("warning       x <> 'a'");
    }

    @Test
    void shouldAskForCredentialsThatTheBrokerDemands(@TempDir Path directory) throws IOException {
        // given
        Path users = TestUsers.write(directory, UserFile.line("ann", "secret"));
        Map<String, String> settings = Map.of("security.users", users.toString());
        try (Broker secured =
                new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0)) {
            // when
            int code = run("--url=http://127.0.0.1:" + secured.httpAddress().getPort());

            // then
            assertThat(code).isEqualTo(1);
            assertThat(err.toString())
                    .contains("the broker demands credentials: give --user and --password-file");
        }
    }

    @Test
    void shouldEscapeControlCharactersOfSelectors() throws IOException {
        // given
        String selector = "x = '\u001b[2J' OR\nx = '\u202e'";
        client.subscribe(3, "escapes", selector, "");

        // when
        int list = run(url(), "escapes");
        int explanation = run(url(), "escapes", "1");

        // then
        assertThat(list + explanation).isZero();
        assertThat(out.toString())
                .contains("x = '\\u001b[2J' OR\\nx = '\\u202e'")
                .doesNotContain("\u001b", "\u202e");
        assertThat(out.toString().lines()).noneMatch(line -> line.startsWith("x ="));
    }

    @Test
    void shouldPrintJson() {
        // when
        int code = run(url(), "old", "1", "--output", "json");

        // then
        assertThat(code).isZero();
        assertThat(out.toString()).startsWith("{\"topic\":\"old\",\"matching\":\"linear\"");
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(run(url(), "prices")).isEqualTo(1);
        assertThat(run(url(), "old", "2")).isEqualTo(1);
        assertThat(run("--url=http://127.0.0.1:1")).isEqualTo(1);
        assertThat(run("--url=nonsense")).isEqualTo(2);
        assertThat(run(url(), "old", "two")).isEqualTo(2);
        assertThat(err.toString())
                .contains("no topic 'prices' is in use")
                .contains("topic 'old' has no subscription 2")
                .contains("cannot connect to http://127.0.0.1:1")
                .contains("nonsense")
                .contains("'two' is not an int");
    }
}
