package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Command.Role;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.Receipt;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.Tally;

/// The worker processes of a run, which stay the same from point to point so that their code stays
/// compiled, unless a point fails. Owned by the coordinator's thread.
public final class Workers implements AutoCloseable {

    /// How the two roles are spread over processes.
    public enum Layout {
        /// One process plays both.
        TOGETHER("together"),
        /// One process each, as on the paper's two kinds of machines.
        SEPARATE("separate");

        private final String label;

        Layout(String label) {
            this.label = label;
        }

        /// The roles of each process; whoever publishes is last.
        private List<Set<Role>> roles() {
            return switch (this) {
                case TOGETHER -> List.of(Set.of(Role.SUBSCRIBE, Role.PUBLISH));
                case SEPARATE -> List.of(Set.of(Role.SUBSCRIBE), Set.of(Role.PUBLISH));
            };
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /// JVM options: a heap that does not grow while a point is measured, and the collector that
    /// costs a client with hardly any live data the least.
    public static final String DEFAULT_OPTIONS =
            "-Xms1g -Xmx1g -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED"
                    + " --sun-misc-unsafe-memory-access=allow";

    /// Opening hundreds of connections takes seconds with some providers.
    private static final Duration OPEN = Duration.ofMinutes(2);

    /// Longer than the worker itself waits for a send.
    private static final Duration ANSWER = Duration.ofMinutes(1);

    private static final double NANOS_PER_MICRO = 1e3;

    private final Provider provider;
    private final Layout layout;
    private final String classPath;
    private final List<String> jvmOptions;
    private final Path logs;
    private final List<WorkerProcess> processes = new ArrayList<>();
    private final List<WorkerLog> workerLogs = new ArrayList<>();

    /// From the opening of a point until its orderly end.
    private boolean inPoint;

    private Workers(
            Provider provider,
            Layout layout,
            String classPath,
            List<String> jvmOptions,
            Path logs) {
        this.provider = provider;
        this.layout = layout;
        this.classPath = classPath;
        this.jvmOptions = List.copyOf(jvmOptions);
        this.logs = logs;
    }

    /// Starts the processes.
    ///
    /// @param jars directory with the provider's jars; null if they are on this class path
    /// @param logs directory for their error output
    public static Workers start(
            Provider provider,
            @Nullable Path jars,
            Layout layout,
            List<String> jvmOptions,
            Path logs)
            throws LoadException {
        var classPath =
                jars == null
                        ? WorkerClassPath.forWinnow()
                        : WorkerClassPath.forProvider(jars, provider.factoryClass());
        var workers = new Workers(provider, layout, classPath, jvmOptions, logs);
        workers.start();
        return workers;
    }

    private void start() throws LoadException {
        try {
            for (var number = 1; number <= layout.roles().size(); number++) {
                var log = logs.resolve("worker-" + number + ".log");
                if (workerLogs.size() < number) {
                    workerLogs.add(WorkerLog.from(log));
                }
                processes.add(new WorkerProcess(classPath, jvmOptions, log));
            }
        } catch (IOException failed) {
            close();
            throw new LoadException("cannot start a worker: " + failed.getMessage(), failed);
        }
    }

    /// Replaces the processes by new ones if the last point did not come to its end: nobody knows
    /// what they are doing.
    ///
    /// @return whether they are new
    boolean replaceAfterFailure() throws LoadException {
        if (!inPoint) {
            return false;
        }
        close();
        start();
        inPoint = false;
        return true;
    }

    /// The provider that they drive.
    public Provider provider() {
        return provider;
    }

    /// CPU time of all of them in nanoseconds.
    long cpuNanos() throws IOException {
        var sum = 0L;
        for (var process : processes) {
            sum += process.cpuNanos();
        }
        return sum;
    }

    /// The threads of all of them.
    ThreadUse threadUse() throws IOException {
        var at = System.nanoTime();
        var threads = new HashMap<String, Long>();
        for (var process : processes) {
            threads.putAll(process.threadUse().nanosByThread());
        }
        return new ThreadUse(threads, at);
    }

    /// What the provider has warned of in the workers' logs, one sentence for each log.
    public List<String> warnings() {
        return workerLogs.stream().map(WorkerLog::summary).flatMap(Optional::stream).toList();
    }

    /// Subscribers are connected before publishers are.
    void open(Command.Open order) throws LoadException, InterruptedException {
        inPoint = true;
        for (var i = 0; i < processes.size(); i++) {
            processes
                    .get(i)
                    .tell(
                            new Command.Open(
                                    order.provider(),
                                    layout.roles().get(i),
                                    order.topic(),
                                    order.point(),
                                    order.message(),
                                    order.maxInFlight(),
                                    order.counters()));
            processes.get(i).answer(Reply.Opened.class, OPEN);
        }
    }

    void startSending() throws LoadException, InterruptedException {
        tellAll(new Command.Start());
        for (var process : processes) {
            process.answer(Reply.Started.class, ANSWER);
        }
    }

    /// @return what was sent, indexed by id
    List<Tally> stopSending() throws LoadException, InterruptedException {
        tellAll(new Command.Stop());
        var sent = new ArrayList<Tally>();
        for (var process : processes) {
            sent.addAll(process.answer(Reply.Stopped.class, ANSWER).sentById());
        }
        return sent;
    }

    /// @return what each subscriber got, and all errors
    Reply.Closed closeConnections() throws LoadException, InterruptedException {
        var receipts = new ArrayList<Receipt>();
        var errors = new ArrayList<String>();
        // Publishers, which are last in the layout, first: see PointLoad.
        for (var process : processes.reversed()) {
            process.tell(new Command.Close());
            var closed = process.answer(Reply.Closed.class, ANSWER);
            receipts.addAll(closed.receipts());
            errors.addAll(closed.errors());
        }
        inPoint = false;
        return new Reply.Closed(receipts, errors);
    }

    /// Measures latency in the worker, which connects and disconnects everybody.
    ///
    /// @throws LoadException if publishers and subscribers do not share a process, and with it a
    ///   clock
    Latency latency(Command.MeasureLatency order)
            throws LoadException, IOException, InterruptedException {
        if (layout != Layout.TOGETHER) {
            throw new LoadException(
                    "expected one worker that publishes and subscribes, whose clock measures the"
                            + " latency, found workers that are "
                            + layout);
        }
        inPoint = true;
        var pace = order.pace();
        var process = processes.getFirst();
        var before = HostUse.now();
        process.tell(order);
        var sending = Duration.ofMillis(pace.warmupMillis() + pace.durationMillis());
        var latencies =
                process.answer(
                        Reply.Latencies.class,
                        OPEN.plus(sending).plusMillis(order.patienceMillis()).plus(ANSWER));
        inPoint = false;
        return new Latency(
                pace.ratePerSecond(),
                latencies.messages(),
                latencies.p50Nanos() / NANOS_PER_MICRO,
                latencies.p99Nanos() / NANOS_PER_MICRO,
                latencies.p999Nanos() / NANOS_PER_MICRO,
                latencies.maxNanos() / NANOS_PER_MICRO,
                HostUse.now().busyShareSince(before));
    }

    @Override
    public void close() {
        processes.forEach(WorkerProcess::close);
        processes.clear();
    }

    private void tellAll(Command command) {
        for (var process : processes) {
            process.tell(command);
        }
    }
}
