package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestQueues;
import winnow.wire.Xid;

/// Decides prepared transactions of a real broker, as operators do.
class TransactionCommandTest {
    private final CommandRun ran = new CommandRun();
    private Broker broker;
    private TestQueues client;

    @BeforeEach
    void start() throws IOException {
        broker = new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0);
        client = new TestQueues(broker, "anna");
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private int transaction(String... arguments) {
        return ran.execute(TransactionCommand.commandLine(), arguments);
    }

    private String url() {
        return "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    @Test
    void shouldListAndDecide() throws IOException {
        // given
        assertThat(transaction("list", url())).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("no transaction is prepared\n");
        client.prepare(new Xid(1, new byte[] {10}, new byte[] {11}), "out", "a");
        client.prepare(new Xid(2, new byte[] {10}, new byte[0]), "out", "b");

        // when, then
        assertThat(transaction("list", url())).isZero();
        assertThat(ran.out())
                .isEqualTo(
                        """
                           SENDS  RECEIVED  TRANSACTION
                               1         0  1:0a:0b
                               1         0  2:0a:
                        """);
        assertThat(transaction("list", url(), "--output=json")).isZero();
        assertThat(SelectorCommand.JSON.readTree(ran.out())).hasSize(2);
        assertThat(transaction("commit", "1:0a:0b", url())).isEqualTo(2);
        assertThat(ran.err())
                .contains("expected --yes")
                .contains("commit transaction 1:0a:0b?")
                .contains("See 'winnow transaction commit --help'.");
        assertThat(transaction("commit", "1:0a:0b", "--yes", url())).isZero();
        assertThat(ran.out()).isEqualTo("committed\n");
        assertThat(transaction("rollback", "2:0a:", "--yes", url())).isZero();
        assertThat(ran.out()).isEqualTo("rolled back\n");
        assertThat(transaction("list", url())).isZero();
        assertThat(ran.out()).isEqualTo("no transaction is prepared\n");
    }

    @Test
    void shouldListThoseThatAreWanted() throws IOException {
        // given
        for (int format = 1; format <= 3; format++) {
            client.prepare(new Xid(format, new byte[] {10}, new byte[] {11}), "out", "a");
        }

        // then
        assertThat(transaction("list", "--name=*:0a:*", "--limit=2", url())).isZero();
        assertThat(ran.out()).contains("1:0a:0b").contains("2:0a:0b").doesNotContain("3:0a");
        assertThat(transaction("list", "--name=3:*", url())).isZero();
        assertThat(ran.out()).contains("3:0a:0b").doesNotContain("1:0a").doesNotContain("2:0a");
        assertThat(transaction("list", "--name=4:*", url())).isZero();
        assertThat(ran.out()).isEqualTo("no transaction is prepared\n");
        assertThat(transaction("list", "--limit=-1", url())).isEqualTo(2);
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(transaction("commit", "1:0a:0b", "--yes", url())).isOne();
        assertThat(ran.err()).contains("transaction 1:0a:0b is not prepared");
        assertThat(transaction("commit", "1:0a", "--yes", url())).isOne();
        assertThat(ran.err()).contains("expected a transaction as FORMAT:GLOBAL:BRANCH");
        assertThat(transaction()).isEqualTo(2);
        assertThat(ran.err()).contains("expected a command: list, commit or rollback");
    }
}
