package winnow.loadgen.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.fake.FakeHub;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.MachineUse;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.machine.WorkerMachine;
import winnow.loadgen.run.FailedPoint;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.LoadRun;
import winnow.loadgen.run.PointRunner;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunProgress;
import winnow.loadgen.run.RunSamples;
import winnow.loadgen.run.WorkerStart;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

/// Coordinator, two machines of workers and their worker processes, over loopback.
class RemoteWorkersTest {

    private static final Point POINT = Point.of(FilterKind.PROPERTY, 3, 4, 5);

    private static final String FACTORY = FakeConnectionFactory.class.getName();

    @TempDir private Path directory;

    private final List<WorkerServer> servers = new ArrayList<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final WorkerSecret secret;

    RemoteWorkersTest() throws LoadException {
        secret = WorkerSecret.of("a".repeat(32), "test");
    }

    @AfterEach
    void close() throws IOException {
        for (var server : servers) {
            server.close();
        }
    }

    @Test
    void shouldMeasureWithOneMachineThatPublishesAndOneThatSubscribes() throws Exception {
        // given
        var publishing = server();
        var subscribing = server();
        try (var hub = new FakeHub();
                var workers = start(hub.url(), publishing + "/" + subscribing)) {
            // when
            var run = measure(workers, Duration.ofMillis(500), List.of(POINT, POINT, POINT));

            // then
            assertThat(run.failures()).isEmpty();
            assertThat(run.measurements())
                    .hasSize(3)
                    // On a busy machine young processes may not come to send in the first one.
                    .anySatisfy(point -> {
                        assertThat(point.received()).isPositive();
                        assertThat(point.dispatched()).isPositive();
                    })
                    .allSatisfy(point -> {
                        assertThat(point.problems()).isEmpty();
                        assertThat(point.accounting().delivered())
                                .isEqualTo(point.accounting().expected());
                        assertThat(point.clientCpuSeconds()).isPositive();
                        assertThat(point.machines())
                                .extracting(MachineUse::worker)
                                .containsExactly(subscribing, publishing);
                        assertThat(point.moments()).isNotEmpty();
                        assertThat(point.moments().getFirst().machines())
                                .extracting(MachineUse::worker)
                                .containsExactly(subscribing, publishing);
                    });
            assertThat(workers.machines())
                    .extracting(WorkerMachine::roles)
                    .containsExactly("subscribes", "publishes");
            assertThat(ResultFiles.read(directory.resolve("points.jsonl"), _ -> {}))
                    .containsExactly(run);
        }
    }

    @Test
    void shouldSpreadAPointOverMachinesThatPublishAndSubscribe() throws Exception {
        // given
        try (var hub = new FakeHub();
                var workers = start(hub.url(), server() + "," + server())) {
            // when
            var run = measure(workers, Duration.ofMillis(500), List.of(POINT, POINT, POINT));

            // then: each copy is accounted for by the subscriber that got it
            assertThat(run.failures()).isEmpty();
            assertThat(run.measurements())
                    .hasSize(3)
                    .anySatisfy(point -> assertThat(point.accounting().expected()).isPositive())
                    .allSatisfy(point -> assertThat(point.problems()).isEmpty());
        }
    }

    @Test
    void shouldRefuseASecondCoordinatorAndServeItAfterTheFirst() throws Exception {
        // given
        var server = server();
        try (var workers = start("fake:none", server)) {
            assertThat(workers.machines()).hasSize(1);

            // then
            assertThatExceptionOfType(LoadException.class)
                    .isThrownBy(() -> start("fake:none", server))
                    .withMessageContaining(
                            "worker " + server + ": serves another coordinator: 127");
        }
        try (var workers = start("fake:none", server)) {
            assertThat(workers.machines()).hasSize(1);
        }
    }

    @Test
    void shouldFailThePointOfAWorkerThatEndsAndGoOnWithANewOne() throws Exception {
        // given: the process halts where a message has two copies
        var server = server();
        var halting = Point.of(FilterKind.PROPERTY, 2, 2, 0);
        try (var workers = start("fake:halt", server)) {
            // when
            var failed = measure(workers, Duration.ofMinutes(5), List.of(halting));
            var next = measure(workers, Duration.ofMillis(100), List.of(POINT));

            // then
            assertThat(failed.failures())
                    .extracting(FailedPoint::reason)
                    .singleElement()
                    .asString()
                    .contains("worker " + server, "worker ended");
            assertThat(next.failures()).isEmpty();
            assertThat(next.measurements())
                    .hasSize(1)
                    .allSatisfy(point -> assertThat(point.problems()).isEmpty());
        }
    }

    @Test
    void shouldFailThePointOfAMachineThatIsLost() throws Exception {
        // given: whoever is between the two closes the connection
        var server = server();
        try (var relay = new CutRelay(WorkerAddress.of(server).port());
                var workers = start("fake:none", "127.0.0.1:" + relay.port())) {
            var measuring =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return measure(workers, Duration.ofMinutes(5), List.of(POINT));
                        } catch (Exception failed) {
                            throw new IllegalStateException(failed);
                        }
                    });
            relay.awaitBytes(100_000);

            // when
            relay.cut();

            // then
            assertThat(measuring.get().failures())
                    .extracting(FailedPoint::reason)
                    .singleElement()
                    .asString()
                    .contains("worker 127.0.0.1:" + relay.port() + " is lost: ");
        }
    }

    @Test
    void shouldEndTheProcessOfACoordinatorThatIsGone() throws Exception {
        // given
        var before = ProcessHandle.current().children().toList();
        var server = server();
        var workers = start("fake:none", server);
        var process =
                ProcessHandle.current().children().filter(one -> !before.contains(one)).toList();
        assertThat(process).hasSize(1);

        // when
        workers.close();

        // then
        assertThat(process.getFirst().onExit().get().isAlive()).isFalse();
    }

    @Test
    void shouldOnlyUseTheProviderOfTheWorker() throws Exception {
        // given
        var server = server();
        var provider = new Provider("java.lang.ProcessBuilder", "fake:none", "", "");
        try (var workers = Workers.start(provider, RemoteWorkers.of(server, secret))) {
            // when
            var run = measure(workers, Duration.ofMillis(100), List.of(POINT));

            // then
            assertThat(run.failures())
                    .extracting(FailedPoint::reason)
                    .singleElement()
                    .asString()
                    .contains(
                            "expected the provider " + FACTORY,
                            "found java.lang.ProcessBuilder: start the worker with that");
        }
    }

    @Test
    void shouldSayWhichWorkerCannotBeReached() throws Exception {
        // given: nobody listens there any more
        String server;
        try (var gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server = "127.0.0.1:" + gone.getLocalPort();
        }

        // then
        assertThatExceptionOfType(LoadException.class)
                .isThrownBy(() -> start("fake:none", server))
                .withMessageContaining("worker " + server + ": cannot connect");
    }

    @Test
    void shouldServeOthersBesideASilentPeer() throws Exception {
        // given
        var server = server();
        try (var silent =
                        new Socket(
                                InetAddress.getLoopbackAddress(), WorkerAddress.of(server).port());
                var workers = start("fake:none", server)) {
            // then
            assertThat(workers.machines()).hasSize(1);
            assertThat(silent.isConnected()).isTrue();
        }
    }

    @Test
    void shouldServeOthersBesideManySilentPeers() throws Exception {
        // given
        var server = server();
        var silent = new ArrayList<Socket>();
        try {
            for (var number = 0; number < 20; number++) {
                silent.add(
                        new Socket(
                                InetAddress.getLoopbackAddress(), WorkerAddress.of(server).port()));
            }

            // when
            try (var workers = start("fake:none", server)) {
                // then
                assertThat(workers.machines()).hasSize(1);
            }
        } finally {
            for (var socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void shouldRefuseAddressesThatAreNone() {
        for (var text :
                List.of("a:1/b:2/c:3", "a", "a:1,", "a:1/", "a:99999", "a:1,a:1", "a:1/a:1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RemoteWorkers.of(text, secret))
                    .withMessageContaining("expected");
        }
        assertThat(RemoteWorkers.of("a:1,b:2/[::1]:3", secret).label())
                .isEqualTo("a:1, b:2 publish, [::1]:3 subscribe");
    }

    /// Starts the machine of a worker.
    private String server() throws IOException {
        var options = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        var start = new WorkerStart(System.getProperty("java.class.path"), options);
        var file = directory.resolve("machine-" + servers.size() + ".log");
        var server =
                new WorkerServer(
                        new WorkerAddress("127.0.0.1", 0),
                        secret,
                        new WorkerServer.Offer(FACTORY, start, file),
                        line -> log.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
        servers.add(server);
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        server.serve();
                    } catch (IOException failed) {
                        log.writeBytes(failed.toString().getBytes(StandardCharsets.UTF_8));
                    }
                });
        return server.address().toString();
    }

    private Workers start(String url, String addresses) throws LoadException, InterruptedException {
        return Workers.start(
                new Provider(FACTORY, url, "", ""), RemoteWorkers.of(addresses, secret));
    }

    private Run measure(Workers workers, Duration duration, List<Point> points)
            throws IOException, LoadException, InterruptedException {
        var settings =
                new LoadSettings(
                        Duration.ofMillis(50),
                        duration,
                        Duration.ZERO,
                        DeliveryGuarantee.NON_PERSISTENT,
                        false,
                        MessageSource.CACHED,
                        1_000,
                        0,
                        1,
                        Duration.ZERO);
        var broker =
                new BrokerProbe(
                        CpuClock.ofProcess(ProcessHandle.current().pid()),
                        ThreadProbe.unavailable(),
                        TopicMatching.unknown(),
                        false);
        Files.createDirectories(directory);
        try (var files = new ResultFiles(directory);
                var progress = new PrintStream(log, true, StandardCharsets.UTF_8)) {
            var runner = new PointRunner(workers, broker, "test", Duration.ofSeconds(5), null);
            return new LoadRun(runner, settings, files, new RunProgress.Lines(progress, "test"))
                    .measure(RunSamples.header("test", settings), points, Duration.ZERO);
        }
    }
}
