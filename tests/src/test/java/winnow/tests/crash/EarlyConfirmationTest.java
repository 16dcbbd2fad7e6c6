package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A leader that stands alone for a while and dies: the oracle finds what is lost if it confirms
/// before a majority has it, and nothing if it does not.
class EarlyConfirmationTest {
    private static final long SEED = Long.getLong("winnow.seed", System.nanoTime());
    private static final long ALONE_SECONDS = 1;
    private static final String MISSING = "confirmed and missing";
    private static final String ACKNOWLEDGED =
            "comes again after its acknowledgement was confirmed";

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldConfirmNothingThatNoMajorityHas() throws Exception {
        assertThat(judgement(BrokerProcess.MAIN)).isEmpty();
    }

    @Test
    void shouldFindALeaderThatConfirmsTooEarly() throws Exception {
        assertThat(findings())
                .anyMatch(line -> line.contains(MISSING) || line.contains(ACKNOWLEDGED));
    }

    /// Violations of a node that confirms too early. What it has lost may stop its clients for
    /// good; their error tells what was found until then.
    private List<String> findings() throws Exception {
        try {
            return judgement("winnow.broker.EarlyNode");
        } catch (IllegalStateException stopped) {
            return List.of(String.valueOf(stopped.getMessage()));
        }
    }

    /// Violations that clients have seen of nodes of that class.
    private List<String> judgement(String main) throws Exception {
        System.out.println("-Dwinnow.seed=" + SEED);
        try (ClusterProcesses cluster =
                new ClusterProcesses(
                        ClusterProcesses.local(temporary),
                        main,
                        List.of("-Xmx128m"),
                        List.of("queue.max-deliveries=0", "queue.redelivery-delay=0s"))) {
            cluster.start();
            String leader = cluster.leader();
            String url = cluster.url();
            Oracle oracle = new Oracle(true);
            Gate gate = new Gate(ClientLife.LASTING_IMPATIENT, url);
            Clients clients = new Clients(gate, oracle, url, SEED);
            gate.open(url);
            clients.await(500);
            for (String follower : cluster.followers(leader)) {
                cluster.pause(follower);
            }
            TimeUnit.SECONDS.sleep(ALONE_SECONDS);
            cluster.kill(leader);
            cluster.resume();
            clients.awaitConfirmed(20, "another node leads");
            clients.leave();
            clients.sweep(url);
            System.out.println(oracle.summary());
            return oracle.judge();
        }
    }
}
