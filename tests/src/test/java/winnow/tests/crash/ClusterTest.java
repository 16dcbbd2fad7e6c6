package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three brokers that are a cluster: nothing that was confirmed gets lost while a majority of them
/// is there, and all have the same rows.
class ClusterTest {
    private static final int ROUNDS = Integer.getInteger("winnow.takeovers", 4);
    private static final int SENDERS = 3;

    /// Longer than the election.
    private static final long PAUSE_SECONDS = 4;

    private static final long ALONE_SECONDS = 1;
    private static final long HAND_OVER_SECONDS = 30;
    private static final long LOOK_MILLIS = 100;

    private static final List<String> OPTIONS = List.of("-Xmx128m");

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldKeepWhatIsConfirmedWhenTheLeaderDiesStandsStillOrHandsOver() throws Exception {
        // given
        try (ClusterProcesses cluster =
                new ClusterProcesses(temporary.resolve("cluster"), OPTIONS)) {
            cluster.start();
            List<ClusterSender> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(new ClusterSender(cluster, "s" + i));
            }

            // when
            for (int round = 0; round < ROUNDS; round++) {
                senders.getFirst().awaitConfirmed(20);
                takeOver(cluster, senders.getFirst(), round % 4);
            }
            senders.getFirst().awaitConfirmed(20);
            for (ClusterSender sender : senders) {
                sender.stop();
            }

            // then
            Set<String> confirmed = new HashSet<>();
            senders.forEach(sender -> confirmed.addAll(sender.confirmed()));
            assertThat(missing(cluster, confirmed)).isEmpty();
            List<Map<String, String>> rows = cluster.rows();
            assertThat(rows.get(1)).isEqualTo(rows.get(0));
            assertThat(rows.get(2)).isEqualTo(rows.get(0));
            assertThat(rows.get(0)).hasSizeGreaterThan(confirmed.size());
        }
    }

    /// Ends the lead of a node in one of four ways.
    private static void takeOver(ClusterProcesses cluster, ClusterSender sender, int way)
            throws Exception {
        String leader = cluster.leader();
        switch (way) {
            case 0 -> {
                cluster.kill(leader);
                sender.awaitConfirmed(1);
                cluster.start();
            }
            case 1 -> {
                cluster.process(leader).signal("STOP");
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
                cluster.process(leader).signal("CONT");
            }
            case 2 -> {
                assertThat(cluster.stop(leader)).isZero();
                sender.awaitConfirmed(1);
                cluster.start();
            }
            default -> handOver(cluster, leader);
        }
    }

    /// Moves the lead as soon as the other node has what it needs for that.
    private static void handOver(ClusterProcesses cluster, String leader) throws Exception {
        String to = cluster.followers(leader).getFirst();
        String path = "/api/v1/cluster/nodes/" + to + "/lead";
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HAND_OVER_SECONDS);
        String answer = cluster.process(leader).post(path);
        while (answer.startsWith("409") && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            answer = cluster.process(leader).post(path);
        }
        assertThat(answer).startsWith("200 ");
        assertThat(cluster.leader()).isEqualTo(to);
    }

    @Test
    void shouldConfirmNothingThatNoMajorityHas() throws Exception {
        assertThat(lostBehindALonelyLeader(OPTIONS)).isEmpty();
    }

    /// The check would find a leader that confirms too early.
    @Test
    void shouldFindALeaderThatConfirmsTooEarly() throws Exception {
        List<String> options = List.of("-Xmx128m", "-Dwinnow.test.confirm-early=true");
        assertThat(lostBehindALonelyLeader(options)).isNotEmpty();
    }

    /// Confirmed messages that are not there any more when the leader has stood alone for a while
    /// and then died.
    private Set<String> lostBehindALonelyLeader(List<String> options) throws Exception {
        try (ClusterProcesses cluster =
                new ClusterProcesses(temporary.resolve("cluster"), options)) {
            cluster.start();
            ClusterSender sender = new ClusterSender(cluster, "s");
            sender.awaitConfirmed(20);
            String leader = cluster.leader();
            for (String follower : cluster.followers(leader)) {
                cluster.process(follower).signal("STOP");
            }
            TimeUnit.SECONDS.sleep(ALONE_SECONDS);
            Set<String> confirmed = Set.copyOf(sender.confirmed());
            cluster.kill(leader);
            for (String follower : cluster.followers(leader)) {
                cluster.process(follower).signal("CONT");
            }
            sender.stop();
            return missing(cluster, confirmed);
        }
    }

    private static Set<String> missing(ClusterProcesses cluster, Set<String> confirmed)
            throws Exception {
        Set<String> missing = new HashSet<>(confirmed);
        missing.removeAll(ClusterSender.stored(cluster.process(cluster.leader()).url()));
        return missing;
    }
}
