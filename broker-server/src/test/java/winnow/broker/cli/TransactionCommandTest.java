package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestQueues;
import winnow.wire.Xid;

/// Decides prepared transactions of a real broker, as operators do.
class TransactionCommandTest {
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
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
        out = new StringWriter();
        err = new StringWriter();
        CommandLine line = TransactionCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        line.getSubcommands()
                .values()
                .forEach(one -> {
                    one.setOut(new PrintWriter(out));
                    one.setErr(new PrintWriter(err));
                });
        return line.execute(arguments);
    }

    private String url() {
        return "--url=http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    @Test
    void shouldListAndDecide() throws IOException {
        // given
        assertThat(transaction("list", url())).as(err.toString()).isZero();
        assertThat(out.toString()).isEqualTo("no transaction is prepared\n");
        client.prepare(new Xid(1, new byte[] {10}, new byte[] {11}), "out", "a");
        client.prepare(new Xid(2, new byte[] {10}, new byte[0]), "out", "b");

        // when, then
        assertThat(transaction("list", url())).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                           SENDS  RECEIVED  TRANSACTION
                               1         0  1:0a:0b
                               1         0  2:0a:
                        """);
        assertThat(transaction("list", url(), "--output=json")).isZero();
        assertThat(SelectorCommand.JSON.readTree(out.toString())).hasSize(2);
        assertThat(transaction("commit", "1:0a:0b", url())).isEqualTo(2);
        assertThat(err.toString())
                .contains("expected --yes")
                .contains("commit transaction 1:0a:0b?")
                .contains("See 'winnow transaction commit --help'.");
        assertThat(transaction("commit", "1:0a:0b", "--yes", url())).isZero();
        assertThat(out.toString()).isEqualTo("committed\n");
        assertThat(transaction("rollback", "2:0a:", "--yes", url())).isZero();
        assertThat(out.toString()).isEqualTo("rolled back\n");
        assertThat(transaction("list", url())).isZero();
        assertThat(out.toString()).isEqualTo("no transaction is prepared\n");
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(transaction("commit", "1:0a:0b", "--yes", url())).isOne();
        assertThat(err.toString()).contains("transaction 1:0a:0b is not prepared");
        assertThat(transaction("commit", "1:0a", "--yes", url())).isOne();
        assertThat(err.toString()).contains("expected a transaction as FORMAT:GLOBAL:BRANCH");
        assertThat(transaction()).isEqualTo(2);
        assertThat(err.toString()).contains("expected a command: list, commit or rollback");
    }
}
