package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.MachineUse;
import winnow.loadgen.machine.WorkerLook;
import winnow.loadgen.machine.WorkerMachine;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Part;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.Receipt;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.Tally;

/// The worker processes of a run, which stay the same from point to point so that their code stays
/// compiled, unless a point fails. Owned by the coordinator's thread.
public final class Workers implements AutoCloseable {

    /// Spread of the two roles over processes of this machine.
    public enum Layout {
        /// One process plays both.
        TOGETHER("together"),
        /// One process each, as on the paper's two kinds of machines.
        SEPARATE("separate");

        private final String label;

        Layout(String label) {
            this.label = label;
        }

        /// Roles of each process; the one that only publishes is last.
        List<Roles> roles() {
            return switch (this) {
                case TOGETHER -> List.of(new Roles(Part.ALL, Part.ALL));
                case SEPARATE ->
                        List.of(new Roles(Part.NONE, Part.ALL), new Roles(Part.ALL, Part.NONE));
            };
        }

        @Override
        public String toString() {
            return label;
        }
    }

    record Roles(Part publishers, Part subscribers) {}

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
    private final WorkerSource source;
    private List<Seat> seats = List.of();

    /// Subscribers of the point that is open.
    private int subscribers;

    /// From the opening of a point until its orderly end.
    private boolean inPoint;

    private Workers(Provider provider, WorkerSource source) {
        this.provider = provider;
        this.source = source;
    }

    /// Workers on this machine.
    ///
    /// @param jars directory with the provider's jars; null if they are on this class path
    /// @param logs directory for their error output
    public static WorkerSource local(
            Provider provider,
            @Nullable Path jars,
            Layout layout,
            List<String> jvmOptions,
            Path logs)
            throws LoadException {
        return LocalWorkers.of(provider, jars, layout, jvmOptions, logs);
    }

    /// Starts those of a source.
    public static Workers start(Provider provider, WorkerSource source)
            throws LoadException, InterruptedException {
        var workers = new Workers(provider, source);
        workers.seats = source.start();
        return workers;
    }

    /// Replaces the processes by new ones if the last point did not come to its end: nobody knows
    /// what they are doing.
    ///
    /// @return true if they are new
    boolean replaceAfterFailure() throws LoadException, InterruptedException {
        if (!inPoint) {
            return false;
        }
        close();
        seats = source.start();
        inPoint = false;
        return true;
    }

    /// The provider that they drive.
    public Provider provider() {
        return provider;
    }

    /// Spread of the load over them, for people.
    public String label() {
        return source.label();
    }

    /// The machines that they run on; empty if that is this one.
    public List<WorkerMachine> machines() {
        return source.isElsewhere() ? seats.stream().map(Seat::machine).toList() : List.of();
    }

    /// @throws LoadException if one of them is not there any more
    void check() throws LoadException {
        for (var seat : seats) {
            seat.worker().check();
        }
    }

    /// Looks at each.
    ///
    /// @param threads true to look at their threads, too, which takes longer
    List<WorkerLook> look(boolean threads) throws IOException, LoadException, InterruptedException {
        var looks = new ArrayList<WorkerLook>();
        for (var seat : seats) {
            looks.add(seat.worker().look(threads));
        }
        return looks;
    }

    /// Use of their machines between two looks; empty if they are on this one alone.
    List<MachineUse> machines(LoadUse use) {
        var machines = new ArrayList<MachineUse>();
        for (var number = 0; source.isElsewhere() && number < seats.size(); number++) {
            var worker = seats.get(number).worker();
            machines.add(
                    MachineUse.between(
                            worker.name(),
                            worker.machine().allProcessors(),
                            use.before().get(number),
                            use.after().get(number)));
        }
        return machines;
    }

    /// Warnings of the provider in the workers' logs, one sentence for each log.
    public List<String> warnings() {
        return source.warnings();
    }

    /// Subscribers are connected before publishers are.
    void open(Command.Open order) throws LoadException, InterruptedException {
        inPoint = true;
        subscribers = order.point().subscribers();
        for (var seat : seats) {
            seat.worker().tell(order.of(seat.publishers(), seat.subscribers()));
            seat.worker().answer(Reply.Opened.class, OPEN);
        }
    }

    void startSending() throws LoadException, InterruptedException {
        tellAll(new Command.Start());
        for (var seat : seats) {
            seat.worker().answer(Reply.Started.class, ANSWER);
        }
    }

    /// @return messages sent, indexed by target
    List<Tally> stopSending() throws LoadException, InterruptedException {
        tellAll(new Command.Stop());
        var sent = new ArrayList<Tally>();
        for (var seat : seats) {
            var tallies = seat.worker().answer(Reply.Stopped.class, ANSWER).sentByTarget();
            for (var target = 0; target < tallies.size(); target++) {
                if (target == sent.size()) {
                    sent.add(Tally.NONE);
                }
                sent.set(target, sent.get(target).plus(tallies.get(target)));
            }
        }
        return sent;
    }

    /// @return receipts of each subscriber, and all errors
    Reply.Closed closeConnections() throws LoadException, InterruptedException {
        var receipts = new Receipt[subscribers];
        var errors = new ArrayList<String>();
        // Publishers, which are last in the layout, first: see PointLoad.
        for (var seat : seats.reversed()) {
            seat.worker().tell(new Command.Close());
            var closed = seat.worker().answer(Reply.Closed.class, ANSWER);
            var numbers = seat.subscribers().numbers(subscribers).toArray();
            if (closed.receipts().size() != numbers.length) {
                throw new LoadException(
                        "%s: expected the receipts of %,d subscribers, found %,d"
                                .formatted(
                                        seat.worker().name(),
                                        numbers.length,
                                        closed.receipts().size()));
            }
            for (var index = 0; index < numbers.length; index++) {
                receipts[numbers[index]] = closed.receipts().get(index);
            }
            errors.addAll(closed.errors());
        }
        inPoint = false;
        return new Reply.Closed(List.of(receipts), errors);
    }

    /// Measures latency in the worker, which connects and disconnects everybody.
    ///
    /// @throws LoadException if publishers and subscribers do not share a process, and with it a
    ///   clock
    Latency latency(Command.MeasureLatency order)
            throws LoadException, IOException, InterruptedException {
        var worker =
                seats.stream()
                        .filter(Seat::isBoth)
                        .map(Seat::worker)
                        .findFirst()
                        .orElseThrow(() ->
                                new LoadException(
                                        "expected one worker that publishes and subscribes, whose"
                                                + " clock measures the latency, found workers that"
                                                + " are "
                                                + source.label()));
        inPoint = true;
        var pace = order.pace();
        var before = worker.look(false).host();
        worker.tell(order);
        var sending = Duration.ofMillis(pace.warmupMillis() + pace.durationMillis());
        var latencies =
                worker.answer(
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
                worker.look(false).host().busyShareSince(before));
    }

    @Override
    public void close() {
        seats.forEach(seat -> seat.worker().close());
        seats = List.of();
    }

    private void tellAll(Command command) {
        for (var seat : seats) {
            seat.worker().tell(command);
        }
    }
}
