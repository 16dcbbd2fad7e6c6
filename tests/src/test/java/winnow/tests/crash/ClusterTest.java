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
            assertAllHave(cluster, confirmed);
        }
    }

    private static void assertAllHave(ClusterProcesses cluster, Set<String> confirmed)
            throws Exception {
        assertThat(missing(cluster, confirmed)).isEmpty();
        List<Map<String, String>> rows = cluster.rows();
        assertThat(rows).hasSize(3);
        assertThat(rows.get(1)).isEqualTo(rows.get(0));
        assertThat(rows.get(2)).isEqualTo(rows.get(0));
        assertThat(rows.get(0)).hasSizeGreaterThan(confirmed.size());
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
        handOver(cluster, leader, cluster.followers(leader).getFirst());
    }

    private static void handOver(ClusterProcesses cluster, String leader, String to)
            throws Exception {
        String path = "/api/v1/cluster/nodes/" + to + "/lead";
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HAND_OVER_SECONDS);
        String answer = cluster.process(leader).ask("POST", path);
        while (answer.startsWith("409") && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            answer = cluster.process(leader).ask("POST", path);
        }
        assertThat(answer).startsWith("200 ");
        assertThat(cluster.leader()).isEqualTo(to);
    }

    @Test
    void shouldKeepWhatIsConfirmedWhileNodesComeAndGoAndAllAreRestarted() throws Exception {
        // given
        try (ClusterProcesses cluster =
                new ClusterProcesses(temporary.resolve("cluster"), OPTIONS)) {
            cluster.start();
            String first = cluster.leader();
            String gone = cluster.followers(first).getFirst();
            String address = cluster.startFurther("d");
            List<ClusterSender> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(new ClusterSender(cluster, "s" + i));
            }
            ClusterSender sender = senders.getFirst();
            sender.awaitConfirmed(20);

            // when
            change(cluster.process(first), "POST", "d?address=" + address);
            sender.awaitConfirmed(20);
            handOver(cluster, first, "d");
            sender.awaitConfirmed(20);
            change(cluster.process("d"), "DELETE", gone);
            assertThat(cluster.retire(gone)).isZero();
            sender.awaitConfirmed(20);
            for (String follower : cluster.followers("d")) {
                restart(cluster, follower, sender);
            }
            restart(cluster, "d", sender);
            for (ClusterSender one : senders) {
                one.stop();
            }

            // then
            Set<String> confirmed = new HashSet<>();
            senders.forEach(one -> confirmed.addAll(one.confirmed()));
            assertAllHave(cluster, confirmed);
        }
    }

    /// Changes the nodes, and waits until that is done.
    ///
    /// @param node below the list of nodes
    private static void change(BrokerProcess leader, String method, String node) throws Exception {
        String answer = leader.ask(method, "/api/v1/cluster/nodes/" + node);
        while (answer.startsWith("200 ") && answer.contains("\"complete\":false")) {
            answer = leader.ask(method, "/api/v1/cluster/nodes/" + node);
        }
        assertThat(answer).startsWith("200 ");
    }

    /// Ends a node by SIGTERM, starts it again, and waits until it has what it has missed.
    private static void restart(ClusterProcesses cluster, String name, ClusterSender sender)
            throws Exception {
        assertThat(cluster.stop(name)).isZero();
        sender.awaitConfirmed(20);
        cluster.start();
        cluster.process(name).awaitPage("/health/ready", "^ready: ");
        BrokerProcess leader = cluster.process(cluster.leader());
        leader.awaitPage("/health/cluster", "\"" + name + "\":\\d?\\d\\b|\"node\":\"" + name);
        sender.awaitConfirmed(20);
    }

    private static Set<String> missing(ClusterProcesses cluster, Set<String> confirmed)
            throws Exception {
        Set<String> missing = new HashSet<>(confirmed);
        missing.removeAll(ClusterSender.stored(cluster.process(cluster.leader()).url()));
        return missing;
    }
}
