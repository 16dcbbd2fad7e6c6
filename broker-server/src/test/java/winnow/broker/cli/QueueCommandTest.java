package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestQueues;

/// Looks after the queues and subscriptions of a real broker, as operators do.
class QueueCommandTest {
    private final CommandRun ran = new CommandRun();
    private Broker broker;
    private TestQueues client;

    @BeforeEach
    void start() throws IOException {
        broker = new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0);
        client = new TestQueues(broker, "anna");
        client.send("orders", "first");
        client.send("orders", "second\033[2J");
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private int run(CommandLine line, String... arguments) {
        return ran.execute(line, arguments);
    }

    private int queue(String... arguments) {
        return run(QueueCommand.commandLine(), arguments);
    }

    private String url() {
        return "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    private JsonNode json() throws IOException {
        return SelectorCommand.JSON.readTree(ran.out());
    }

    @Test
    void shouldListQueues() throws IOException {
        assertThat(queue("list", url())).as(ran.err()).isZero();
        assertThat(ran.out())
                .containsPattern("MESSAGES +AVAILABLE +UNACKNOWLEDGED +CONSUMERS +BYTES +QUEUE\n")
                .containsPattern(" 2 +2 +0 +0 +[0-9]{2,3} +orders\n");

        assertThat(queue("list", url(), "--output=json")).isZero();
        assertThat(json().get(0).path("name").asText()).isEqualTo("orders");
        assertThat(ran.out().lines()).hasSize(1);
    }

    @Test
    void shouldListSomeQueues() throws IOException {
        // given
        for (String name : new String[] {"a", "b-1", "b-2", "b-3"}) {
            assertThat(queue("create", name, url())).as(ran.err()).isZero();
            assertThat(ran.out()).isEqualTo("queue '" + name + "' is there\n");
        }

        // then
        assertThat(queue("list", url(), "--name=b-*", "--limit=2", "--output=json")).isZero();
        assertThat(json().findValuesAsText("name")).containsExactly("b-1", "b-2");
        assertThat(queue("list", url(), "--name=none*")).isZero();
        assertThat(ran.out()).endsWith("none\n");
        assertThat(queue("list", url(), "--limit=-1")).isEqualTo(2);
        assertThat(ran.err()).contains("--limit: expected at least 0, found -1");
    }

    @Test
    void shouldPauseAndResumeAQueue() throws IOException {
        assertThat(queue("pause", "orders", url())).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("queue 'orders' is paused\n");
        assertThat(queue("list", url())).isZero();
        assertThat(ran.out()).contains("orders (paused)\n");
        assertThat(queue("resume", "orders", url(), "--output=json")).isZero();
        assertThat(json().path("paused").asBoolean(true)).isFalse();
        assertThat(queue("pause", "none", url())).isOne();
        assertThat(ran.err()).contains("there is no queue 'none'");
    }

    @Test
    void shouldListTopics() throws IOException {
        // given
        client.subscribe("prices", "mine", "");

        // then
        assertThat(run(TopicCommand.commandLine(), "list", url())).as(ran.err()).isZero();
        assertThat(ran.out()).startsWith("        MESSAGES  SUBSCRIPTIONS  TOPIC\n");
        assertThat(run(TopicCommand.commandLine(), "list", url(), "--name=x")).isZero();
        assertThat(ran.out()).isEqualTo("none\n");
        assertThat(run(TopicCommand.commandLine())).isEqualTo(2);
    }

    @Test
    void shouldShowMessages() throws IOException {
        assertThat(queue("browse", "orders", url())).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("#0, persistent, priority 4\n")
                .contains("body         5 bytes of text: first\n")
                .contains("of text: second?[2J\n");

        assertThat(queue("browse", "orders", "--limit=1", url(), "--output=json")).isZero();
        assertThat(json()).hasSize(1);
        assertThat(queue("browse", "orders", "--selector", "x = 1", url())).isZero();
        assertThat(ran.out()).isEqualTo("none\n");
    }

    @Test
    void shouldPurgeMoveRetryAndDelete() throws IOException {
        assertThat(queue("move", "orders", "later", url())).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("2 messages moved\n");
        assertThat(queue("retry", "later", url())).isOne();
        assertThat(ran.err()).contains("expected the dead-letter queue 'winnow.dead'");
        assertThat(queue("purge", "later", "--selector", "x IS NOT NULL", "--yes", url())).isZero();
        assertThat(ran.out()).isEqualTo("0 messages removed\n");
        assertThat(queue("purge", "later", "--yes", url())).isZero();
        assertThat(ran.out()).isEqualTo("2 messages removed\n");
        assertThat(queue("delete", "later", "--yes", url())).isZero();
        assertThat(ran.out()).isEqualTo("queue 'later' removed, with 0 messages\n");
        assertThat(queue("list", url())).isZero();
        assertThat(ran.out()).contains("orders").doesNotContain("later");
    }

    @Test
    void shouldSayWhyDeadLettersAreLeft() throws IOException {
        // given messages that do not say where they come from
        assertThat(queue("move", "orders", "winnow.dead", url())).as(ran.err()).isZero();

        // then
        assertThat(queue("retry", url())).as(ran.err()).isZero();
        assertThat(ran.out())
                .isEqualTo(
                        "0 messages moved back; left: 2 (from topics, for queues that you may not"
                                + " send to, or with consumers)\n");
    }

    @Test
    void shouldSayWhyMessagesAreLeft() throws IOException {
        // given
        client.take("orders");

        // when
        int code = queue("purge", "orders", "--yes", url());

        // then
        assertThat(code).as(ran.err()).isZero();
        assertThat(ran.out())
                .isEqualTo(
                        "1 message removed; left: 1 (consumers have them, or they are delayed or"
                                + " new)\n");
    }

    @Test
    void shouldNotRemoveWithoutAnAnswer() throws IOException {
        assertThat(queue("purge", "orders", url())).isEqualTo(2);
        assertThat(ran.err())
                .contains("expected --yes")
                .contains("remove all messages of queue 'orders'? Nothing was changed.")
                .contains("See 'winnow queue purge --help'.");
        assertThat(queue("delete", "orders", url())).isEqualTo(2);
        assertThat(ran.err()).contains("remove queue 'orders' with 2 messages?");
        assertThat(queue("list", url(), "--output=json")).isZero();
        assertThat(json().get(0).path("backlog").path("messages").asInt()).isEqualTo(2);
    }

    @Test
    void shouldListAndRemoveSubscriptions() throws IOException {
        // given
        client.subscribe("prices", "mine", "p > 1");

        // then
        assertThat(run(SubscriptionCommand.commandLine(), "list", url())).isZero();
        assertThat(ran.out())
                .containsPattern("ID +MESSAGES +AVAILABLE")
                .contains("mine of topic prices, client anna, durable, selector p > 1\n");
        assertThat(run(SubscriptionCommand.commandLine(), "list", url(), "--output=json")).isZero();
        String id = json().get(0).path("id").asText();

        assertThat(run(SubscriptionCommand.commandLine(), "delete", id, url())).isEqualTo(2);
        assertThat(ran.err()).contains("remove subscription 'mine' of topic 'prices' with 0");
        assertThat(run(SubscriptionCommand.commandLine(), "delete", id, "--yes", url())).isOne();
        assertThat(ran.err()).contains("subscription 'anna.mine' has a consumer");
        client.endConsumer();
        assertThat(run(SubscriptionCommand.commandLine(), "delete", id, "--yes", url())).isZero();
        assertThat(run(SubscriptionCommand.commandLine(), "delete", id, "--yes", url())).isOne();
        assertThat(ran.err())
                .contains("there is no subscription " + id + "; 'winnow subscription list'");
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(queue("browse", "none", url())).isOne();
        assertThat(ran.err())
                .isEqualTo(
                        "winnow queue browse: there is no queue 'none'; 'winnow queue list' or GET"
                                + " /api/v1/queues shows those that are there\n");
        assertThat(queue("browse", "orders", "--selector", "x =", url())).isOne();
        assertThat(ran.err()).contains("the value on the right of = is missing");
        assertThat(queue("browse", "orders", "--limit", "x", url())).isEqualTo(2);
        assertThat(queue("move", "orders", url())).isEqualTo(2);
        assertThat(ran.err()).contains("TARGET");
        assertThat(queue()).isEqualTo(2);
        assertThat(ran.err()).contains("expected a command: list, create, pause");
        assertThat(queue("lisst", url())).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo(
                        """
                        winnow queue: unknown command 'lisst'
                        Did you mean 'list'? See 'winnow queue --help'.
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "create", "pause", "browse", "purge", "move", "retry"})
    void shouldExplainItself(String command) {
        assertThat(queue(command, "--help")).isZero();
        assertThat(ran.out())
                .contains("Usage: winnow queue " + command)
                .contains("--url")
                .contains("Exit codes:");
        assertThat(queue(command, "--version")).isZero();
        assertThat(ran.out()).startsWith("winnow ");
    }
}
