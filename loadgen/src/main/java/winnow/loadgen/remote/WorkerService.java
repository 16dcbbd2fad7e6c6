package winnow.loadgen.remote;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.WorkerProcess;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.SharedCounters;
import winnow.loadgen.workload.Point;

/// One coordinator and its worker process, on the machine of the worker.
///
/// One thread reads orders, one passes commands to the process and answers back, one reports what
/// the process and this machine do. The process ends with the connection.
final class WorkerService {

    /// Commands that are not answered yet: a coordinator gives one at a time.
    private static final int MOST_COMMANDS = 16;

    /// Publishers and subscribers of a point: their counters are 25 MB then.
    static final int MOST_PARTICIPANTS = 200_000;

    /// The coordinator knows how long it waits.
    private static final Duration ANSWER = Duration.ofHours(1);

    /// Time for the end of a connection to be told.
    private static final Duration LAST_WORD = Duration.ofSeconds(1);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>(MOST_COMMANDS);
    private final LinkedBlockingQueue<WorkerOrder.Look> looks =
            new LinkedBlockingQueue<>(MOST_COMMANDS);
    private final WorkerLink link;
    private final WorkerServer.Offer offer;
    private volatile @Nullable ServedPoint course;
    private volatile @Nullable WorkerProcess served;
    private volatile boolean ended;

    WorkerService(WorkerLink link, WorkerServer.Offer offer) {
        this.link = link;
        this.offer = offer;
    }

    /// @param number of points opened so far
    private record ServedPoint(
            int number, Command.Open order, SharedCounters counters, Path file) {}

    /// Tells a coordinator the reason for not serving it.
    static void refuse(WorkerLink link, String reason) throws IOException {
        send(link, new WorkerReport.Ended(reason));
    }

    /// Serves the coordinator until the connection ends.
    ///
    /// @return the reason of its end
    String serve() throws InterruptedException {
        String end;
        try (var process = offer.start().process("worker process", offer.log())) {
            served = process;
            end = serve(process);
        } catch (IOException failed) {
            end = "cannot start a worker process: " + Failures.describe(failed);
        }
        sayAtTheEnd(end);
        return end;
    }

    /// Ends the process by force, and removes its files.
    void kill() {
        ended = true;
        var process = served;
        if (process != null) {
            process.kill();
        }
        forget(course);
    }

    private String serve(WorkerProcess process) throws InterruptedException {
        var answering =
                Thread.ofVirtual().name("answers").unstarted(() -> guard(() -> answer(process)));
        var reporting =
                Thread.ofVirtual().name("reports").unstarted(() -> guard(() -> report(process)));
        try {
            send(new WorkerReport.Ready(Machine.current()));
            answering.start();
            reporting.start();
            while (true) {
                take(JSON.readValue(link.receive(), WorkerOrder.class));
            }
        } catch (IOException | RuntimeException | Error failed) {
            return Failures.describe(failed);
        } finally {
            ended = true;
            // Before anything that waits for the coordinator.
            process.kill();
            answering.interrupt();
            answering.join();
            reporting.interrupt();
            reporting.join();
            forget(course);
        }
    }

    /// Never sends, or silence of the coordinator would not be noticed while it does not read.
    private void take(@Nullable WorkerOrder order) throws IOException {
        switch (order) {
            case WorkerOrder.Carry(Command command) -> {
                var checked = command instanceof Command.Open open ? counted(open) : command;
                if (!commands.offer(checked)) {
                    throw new IOException("expected one command at a time, found more");
                }
            }
            case WorkerOrder.Look look -> {
                if (!looks.offer(look)) {
                    throw new IOException("expected one look at a time, found more");
                }
            }
            case WorkerOrder.Grant grant -> take(grant);
            case null -> throw new IOException("found an empty order");
        }
    }

    /// The order with a file of this machine, which the coordinator does not choose.
    private Command.Open counted(Command.Open order) throws IOException {
        var point = order.point();
        if ((long) point.publishers() + point.subscribers() > MOST_PARTICIPANTS) {
            throw new IOException(
                    "expected a point of at most %,d publishers and subscribers, found %s"
                            .formatted(MOST_PARTICIPANTS, point.label()));
        }
        var last = course;
        forget(last);
        var file = Files.createTempFile("winnow-worker-", ".counters");
        SharedCounters counters;
        try {
            counters = SharedCounters.map(file, point.publishers(), point.subscribers());
        } catch (IOException | RuntimeException | Error failed) {
            Files.deleteIfExists(file);
            throw failed;
        }
        var counted = order.counting(Command.Reserving.COORDINATOR, file.toString());
        course = new ServedPoint(last == null ? 1 : last.number + 1, counted, counters, file);
        return counted;
    }

    private static void forget(@Nullable ServedPoint last) {
        try {
            if (last != null) {
                Files.deleteIfExists(last.file);
            }
        } catch (IOException kept) {
            // A file in the directory for temporary ones.
        }
    }

    private void take(WorkerOrder.Grant grant) throws IOException {
        var current = course;
        var messages = grant.messages();
        if (messages.isEmpty() || current == null || grant.points() != current.number) {
            return;
        }
        var publishers = publishers(current);
        if (publishers.length != messages.size()) {
            throw new IOException(
                    "expected grants for %,d publishers, found %,d"
                            .formatted(publishers.length, messages.size()));
        }
        for (var index = 0; index < publishers.length; index++) {
            current.counters.reserved(publishers[index], messages.get(index));
        }
    }

    private static int[] publishers(ServedPoint course) {
        return course.order.publishers().numbers(course.order.point().publishers()).toArray();
    }

    private void answer(WorkerProcess process) throws IOException, InterruptedException {
        while (!ended) {
            var command = commands.take();
            send(new WorkerReport.Answer(answer(process, command)));
        }
    }

    private Reply answer(WorkerProcess process, Command command)
            throws IOException, InterruptedException {
        var provider = provider(command);
        if (provider != null && !provider.factoryClass().equals(offer.provider())) {
            return new Reply.Failed(
                    "expected the provider %s, found %s: start the worker with that --provider"
                            .formatted(offer.provider(), provider.factoryClass()));
        }
        process.tell(command);
        try {
            return process.answer(Reply.class, ANSWER);
        } catch (LoadException failed) {
            return new Reply.Failed(Failures.describe(failed));
        } finally {
            if (command instanceof Command.Open order) {
                // Whoever counts has mapped it.
                Files.deleteIfExists(Path.of(order.counters()));
            }
        }
    }

    private static @Nullable Provider provider(Command command) {
        return switch (command) {
            case Command.Open order -> order.provider();
            case Command.MeasureLatency order -> order.provider();
            case Command.Start _, Command.Stop _, Command.Close _ -> null;
        };
    }

    /// Reports looks that were asked for, counts when they have changed, and otherwise that this
    /// machine is there. Ends the connection when the process has ended.
    private void report(WorkerProcess process) throws IOException, InterruptedException {
        var last = new WorkerReport.Counts(0, List.of(), 0);
        var quietSince = System.nanoTime();
        while (!ended) {
            try {
                process.check();
            } catch (LoadException gone) {
                throw new IOException(gone.getMessage(), gone);
            }
            for (var look = looks.poll(); look != null; look = looks.poll()) {
                send(new WorkerReport.Looked(process.look(look.threads())));
            }
            var counts = counts();
            if (!counts.equals(last)
                    || System.nanoTime() - quietSince > WorkerLink.PULSE.toNanos()) {
                send(counts);
                last = counts;
                quietSince = System.nanoTime();
            }
            Thread.sleep(RemoteWorker.TICK);
        }
    }

    private WorkerReport.Counts counts() {
        var current = course;
        if (current == null) {
            return new WorkerReport.Counts(0, List.of(), 0);
        }
        var counters = current.counters;
        Point point = current.order.point();
        return new WorkerReport.Counts(
                current.number,
                Arrays.stream(publishers(current)).mapToObj(counters::sent).toList(),
                current.order
                        .subscribers()
                        .numbers(point.receivers())
                        .mapToLong(counters::delivered)
                        .sum());
    }

    @FunctionalInterface
    private interface Talking {
        void run() throws IOException, InterruptedException;
    }

    /// A thread that cannot go on ends the connection, and with it the others.
    private void guard(Talking talking) {
        try {
            talking.run();
        } catch (IOException | RuntimeException | Error failed) {
            if (!ended) {
                sayAndClose(Failures.describe(failed));
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /// Says why it ends, unless nobody reads it in time.
    private void sayAtTheEnd(String end) throws InterruptedException {
        var saying = Thread.ofVirtual().name("end").start(() -> sayAndClose(end));
        if (!saying.join(LAST_WORD)) {
            link.close();
        }
    }

    private void sayAndClose(String end) {
        try {
            refuse(link, end);
        } catch (IOException alreadyGone) {
            // Nobody listens.
        } finally {
            link.close();
        }
    }

    private void send(WorkerReport report) throws IOException {
        send(link, report);
    }

    private static void send(WorkerLink link, WorkerReport report) throws IOException {
        link.send(JSON.writerFor(WorkerReport.class).writeValueAsBytes(report));
    }
}
