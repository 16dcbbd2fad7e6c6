package winnow.tests.crash;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// Faults of networks, processes and disks under a cluster with clients that know nothing of them,
/// and an [Oracle] that judges what these get. A program, which `tests/partitions` starts.
final class PartitionRun {
    private static final List<String> SETTINGS =
            List.of("queue.max-deliveries=0", "queue.redelivery-delay=0s");

    /// Longest part of a fault before another one joins it or ends.
    private static final int SHORT_MILLIS = 2_000;

    /// Beyond elections, which take one to two seconds and a round of votes.
    private static final int LONG_MILLIS = 5_000;

    /// Longer than a leader waits for its disk, with the election that follows.
    private static final long FROZEN_MILLIS = 15_000;

    private final TestBed bed;
    private final Random random;
    private final Oracle oracle = new Oracle(true);
    private final Gate gate = new Gate(ClientLife.CLUSTERED, TestBed.url());
    private final ClusterProcesses cluster;
    private final Clients clients;
    private final Map<ClusterFault, List<Long>> silences = new TreeMap<>();

    private PartitionRun(TestBed bed, long seed) throws Exception {
        this.bed = bed;
        random = new Random(seed);
        cluster =
                new ClusterProcesses(
                        bed.machines(),
                        BrokerProcess.MAIN,
                        List.of("-Xmx160m", bed.hosts()),
                        SETTINGS);
        cluster.start();
        cluster.leader();
        clients = new Clients(gate, oracle, TestBed.url(), seed);
        gate.open(TestBed.url());
    }

    /// Runs rounds, and exits with 1 if something is wrong.
    ///
    /// @param args number of rounds, seed, prefix of the namespaces, directory of the test bed,
    ///   whether it has disks; then the faults, all if none is named
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        System.out.println("partitions: seed " + seed);
        TestBed bed = new TestBed(args[2], Path.of(args[3]), Boolean.parseBoolean(args[4]));
        List<ClusterFault> faults =
                args.length == 5
                        ? Arrays.stream(ClusterFault.values())
                                .filter(fault -> bed.hasDisks() || !fault.ofDisk())
                                .toList()
                        : Arrays.stream(args).skip(5).map(ClusterFault::valueOf).toList();
        int code = 1;
        PartitionRun run = new PartitionRun(bed, seed);
        try {
            List<String> wrong = run.all(rounds, faults);
            wrong.stream().limit(20).forEach(one -> System.err.println("partitions: " + one));
            code = wrong.isEmpty() ? 0 : 1;
            System.out.println(
                    "partitions: %s, %d violations, seed %d"
                            .formatted(run.oracle.summary(), wrong.size(), seed));
        } catch (IOException | RuntimeException e) {
            e.printStackTrace(System.out);
        } finally {
            bed.heal();
            run.cluster.close();
            System.exit(code);
        }
    }

    /// Runs so many rounds, with each fault as often as the others.
    ///
    /// @return what is wrong
    private List<String> all(int rounds, List<ClusterFault> faults)
            throws IOException, InterruptedException, JMSException {
        List<ClusterFault> bag = new ArrayList<>();
        for (int round = 1; round <= rounds && oracle.violations().isEmpty(); round++) {
            if (bag.isEmpty()) {
                bag.addAll(faults);
                Collections.shuffle(bag, random);
            }
            round(round, bag.removeLast());
        }
        clients.end();
        clients.sweep(TestBed.url());
        List<String> wrong = new ArrayList<>(oracle.judge());
        List<Map<String, String>> rows = cluster.rows();
        for (Map<String, String> one : rows) {
            if (!one.equals(rows.getFirst())) {
                wrong.add("expected the same rows on all nodes, found " + rows.size() + " kinds");
            }
        }
        silences.forEach((fault, all) -> {
            Collections.sort(all);
            System.out.println(
                    "%-20s %3d rounds, silence: median %6d ms, worst %6d ms"
                            .formatted(fault, all.size(), all.get(all.size() / 2), all.getLast()));
        });
        return wrong;
    }

    /// Time that a leader gives its disk before it gives up the lead.
    private static long patienceMillis(ClusterFault fault) {
        return fault == ClusterFault.LEADER_DISK_FROZEN ? FROZEN_MILLIS : 0;
    }

    private void round(int number, ClusterFault fault) throws IOException, InterruptedException {
        clients.await(200 + random.nextInt(800));
        String leader = cluster.leader();
        List<String> followers = new ArrayList<>(TestBed.others(leader));
        Collections.shuffle(followers, random);
        boolean brief = random.nextInt(3) == 0;
        long millis =
                brief
                        ? 200 + random.nextInt(SHORT_MILLIS)
                        : LONG_MILLIS + random.nextInt(LONG_MILLIS) + patienceMillis(fault);
        oracle.listen();
        long began = System.nanoTime();
        new Injection(fault, leader, followers).begin(millis);
        if (fault.isSurvived() && !brief) {
            clients.awaitConfirmed(20, fault + " lasts");
        }
        long lasted = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        bed.heal();
        cluster.resume();
        cluster.start();
        cluster.awaitTogether();
        clients.awaitConfirmed(20, fault + " is over");
        long silence = oracle.silenceMillis();
        silences.computeIfAbsent(fault, none -> new ArrayList<>()).add(silence);
        System.out.println(
                "round %d: %s for %d ms, leader %s then %s, silence %d ms, %s"
                        .formatted(
                                number,
                                fault,
                                lasted,
                                leader,
                                cluster.leader(),
                                silence,
                                oracle.summary()));
    }

    /// One fault of certain nodes.
    private final class Injection {
        private final ClusterFault fault;
        private final String leader;
        private final String one;
        private final String other;

        Injection(ClusterFault fault, String leader, List<String> followers) {
            this.fault = fault;
            this.leader = leader;
            this.one = followers.getFirst();
            this.other = followers.getLast();
        }

        /// Begins it and waits.
        void begin(long millis) throws IOException, InterruptedException {
            switch (fault) {
                case LEADER_FLAPS, FOLLOWER_FLAPS, LEADER_DISK_SLOW, FOLLOWER_DISK_SLOW ->
                        beginInTurns(millis);
                case CUT_AND_PAUSE, CUT_AND_KILL, TWO_KILLED, CUT_AND_FROZEN -> beginTwo(millis);
                case LEADER_DISK_FROZEN,
                        FOLLOWER_DISK_FROZEN,
                        LEADER_DISK_FULL,
                        FOLLOWER_DISK_FULL -> {
                    beginOfDisk();
                    TimeUnit.MILLISECONDS.sleep(millis);
                }
                default -> {
                    beginOne();
                    TimeUnit.MILLISECONDS.sleep(millis);
                }
            }
        }

        private void beginOne() throws IOException, InterruptedException {
            switch (fault) {
                case LEADER_CUT -> bed.isolate(leader);
                case LEADER_ALONE -> {
                    bed.isolate(leader);
                    bed.hide(leader);
                }
                case FOLLOWER_CUT -> bed.isolate(one);
                case LEADER_MUTE -> silence(leader);
                case FOLLOWER_MUTE -> silence(one);
                case LEADER_DEAF -> deafen(leader);
                case FOLLOWER_DEAF -> deafen(one);
                case CHAIN -> bed.cut(leader, one);
                case FOLLOWERS_APART -> bed.cut(one, other);
                case LEADER_HIDDEN -> bed.hide(leader);
                case LEADER_SLOW -> bed.slowLink(leader);
                case FOLLOWER_SLOW -> bed.slowLink(one);
                case LEADER_KILLED -> cluster.kill(leader);
                case LEADER_PAUSED -> cluster.pause(leader);
                default -> throw new IllegalArgumentException(fault.toString());
            }
        }

        private void silence(String node) throws IOException, InterruptedException {
            for (String to : TestBed.others(node)) {
                bed.drop(node, to);
            }
        }

        private void deafen(String node) throws IOException, InterruptedException {
            for (String from : TestBed.others(node)) {
                bed.drop(from, node);
            }
        }

        private void beginOfDisk() throws IOException, InterruptedException {
            switch (fault) {
                case LEADER_DISK_FROZEN -> bed.freeze(leader);
                case FOLLOWER_DISK_FROZEN -> bed.freeze(one);
                case LEADER_DISK_FULL -> bed.fill(leader);
                case FOLLOWER_DISK_FULL -> bed.fill(one);
                default -> throw new IllegalArgumentException(fault.toString());
            }
        }

        /// On and off until the time is over; at the end it is on.
        private void beginInTurns(long millis) throws IOException, InterruptedException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            String node =
                    fault == ClusterFault.LEADER_FLAPS || fault == ClusterFault.LEADER_DISK_SLOW
                            ? leader
                            : one;
            while (true) {
                if (fault.ofDisk()) {
                    bed.freeze(node);
                    TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(400));
                } else {
                    bed.isolate(node);
                    TimeUnit.MILLISECONDS.sleep(100 + random.nextInt(1500));
                }
                if (System.nanoTime() > end) {
                    return;
                }
                bed.heal();
                TimeUnit.MILLISECONDS.sleep(fault.ofDisk() ? 50 : random.nextInt(1000));
            }
        }

        /// Two faults at once; one of them ends, so that there is a majority.
        private void beginTwo(long millis) throws IOException, InterruptedException {
            if (fault == ClusterFault.TWO_KILLED) {
                cluster.kill(one);
            } else {
                bed.isolate(fault == ClusterFault.CUT_AND_FROZEN ? leader : one);
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(SHORT_MILLIS));
            switch (fault) {
                case CUT_AND_PAUSE -> cluster.pause(leader);
                case CUT_AND_FROZEN -> bed.freeze(leader);
                default -> cluster.kill(leader);
            }
            TimeUnit.MILLISECONDS.sleep(millis);
            if (fault == ClusterFault.TWO_KILLED) {
                cluster.start(one);
            } else if (fault != ClusterFault.CUT_AND_FROZEN) {
                bed.join();
            }
        }
    }
}
