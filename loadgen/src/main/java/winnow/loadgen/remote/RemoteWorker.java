package winnow.loadgen.remote;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.WorkerLook;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Worker;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.SharedCounters;

/// A worker on another machine, seen from the coordinator. What the worker counts gets into the
/// coordinator's counters a few milliseconds later.
///
/// Owned by the coordinator's thread. One virtual thread of its own waits for reports, another
/// grants messages to publishers.
final class RemoteWorker implements Worker {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /// Connections that are closed before the handshake.
    private static final int MOST_ATTEMPTS = 5;

    /// A bound of 16,000 copies per subscriber lasts 53 ms at 300,000 copies a second: counts and
    /// grants that are late by a few of these do not make it run dry.
    static final Duration TICK = Duration.ofMillis(5);

    /// Answers that nobody has asked for yet: there is one at most.
    private static final int MOST_ANSWERS = 16;

    private final ObjectMapper json = new ObjectMapper();
    private final LinkedBlockingQueue<WorkerReport> answers =
            new LinkedBlockingQueue<>(MOST_ANSWERS);
    private final LinkedBlockingQueue<WorkerReport> looks = new LinkedBlockingQueue<>(MOST_ANSWERS);
    private final AtomicReference<@Nullable String> lost = new AtomicReference<>();
    private final WorkerAddress address;
    private final Object granting;
    private final WorkerLink link;
    private final Machine machine;
    private final boolean isHere;

    /// The point that is open; replaced at each opening.
    private volatile @Nullable RemotePoint course;

    private RemoteWorker(WorkerAddress address, Object granting, WorkerLink link)
            throws LoadException {
        this.address = address;
        this.granting = granting;
        this.link = link;
        machine = ready();
        isHere = address.isHere();
    }

    /// @param number of points opened so far
    private record RemotePoint(
            int number, Command.Open order, SharedCounters counters, SendGrants grants) {}

    /// Connects to a worker that waits for a coordinator.
    ///
    /// @param granting lock for grants within the same bound
    static RemoteWorker connect(WorkerAddress address, WorkerSecret secret, Object granting)
            throws LoadException {
        for (var attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                return connectOnce(address, secret, granting);
            } catch (LoadException failed) {
                if (!(failed.getCause() instanceof EOFException)) {
                    throw failed;
                }
                // Closed before it could prove anything: others made the worker short of room.
            }
        }
        return connectOnce(address, secret, granting);
    }

    private static RemoteWorker connectOnce(
            WorkerAddress address, WorkerSecret secret, Object granting) throws LoadException {
        var socket = new Socket();
        try {
            socket.connect(address.resolved(), (int) CONNECT.toMillis());
            var link = WorkerHandshake.ofCoordinator(socket, secret, WorkerHandshake.TIME);
            var worker = new RemoteWorker(address, granting, link);
            Thread.ofVirtual().name("reports of " + address).start(worker::readReports);
            Thread.ofVirtual().name("grants of " + address).start(worker::grant);
            return worker;
        } catch (ConnectException nobody) {
            close(socket);
            // Without the cause, which is said of brokers.
            throw new LoadException(
                    "worker %s: cannot connect: expected 'winnow load worker' to listen there,"
                                    .formatted(address)
                            + " found nobody");
        } catch (IOException | LoadException failed) {
            close(socket);
            throw failed instanceof LoadException known
                    ? known
                    : new LoadException(
                            "worker %s: cannot connect: %s"
                                    .formatted(address, Failures.describe(failed)),
                            failed);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // So it is closed.
        }
    }

    private Machine ready() throws LoadException {
        try {
            var first = report();
            if (first instanceof WorkerReport.Ready(Machine found)) {
                return found;
            }
            var reason =
                    first instanceof WorkerReport.Ended(String why)
                            ? why
                            : "expected it to be ready";
            throw new LoadException("worker %s: %s".formatted(address, reason));
        } catch (IOException failed) {
            throw new LoadException(
                    "worker %s is lost: %s".formatted(address, Failures.describe(failed)), failed);
        }
    }

    @Override
    public String name() {
        return address.toString();
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public boolean isHere() {
        return isHere;
    }

    @Override
    public void tell(Command command) {
        try {
            if (command instanceof Command.Open order) {
                var point = order.point();
                var counters =
                        SharedCounters.map(
                                Path.of(order.counters()), point.publishers(), point.subscribers());
                var last = course;
                var number = last == null ? 1 : last.number + 1;
                // Grants follow the order, or they would be for a point that is unknown there.
                send(new WorkerOrder.Carry(order.counting(Command.Reserving.COORDINATOR, "")));
                course = new RemotePoint(number, order, counters, new SendGrants(order, counters));
            } else {
                send(new WorkerOrder.Carry(command));
            }
        } catch (IOException failed) {
            lose(Failures.describe(failed));
        }
    }

    @Override
    public <R extends Reply> R answer(Class<R> expected, Duration timeout)
            throws LoadException, InterruptedException {
        var report = next(answers, timeout, expected.getSimpleName());
        if (report instanceof WorkerReport.Answer(Reply reply)) {
            if (reply instanceof Reply.Failed(String message)) {
                throw new LoadException("worker %s: %s".formatted(address, message));
            }
            if (expected.isInstance(reply)) {
                return expected.cast(reply);
            }
        }
        throw new LoadException(
                "worker %s: expected '%s', found another answer"
                        .formatted(address, expected.getSimpleName()));
    }

    @Override
    public void check() throws LoadException {
        var why = lost.get();
        if (why != null) {
            throw new LoadException("worker %s is lost: %s".formatted(address, why));
        }
    }

    @Override
    public WorkerLook look(boolean threads) throws LoadException, InterruptedException {
        try {
            send(new WorkerOrder.Look(threads));
        } catch (IOException failed) {
            lose(Failures.describe(failed));
        }
        var report = next(looks, WorkerLink.SILENCE, "Looked");
        if (report instanceof WorkerReport.Looked(WorkerLook look)) {
            return look;
        }
        throw new LoadException("worker %s: expected how far it is".formatted(address));
    }

    @Override
    public void close() {
        lose("the coordinator has closed the connection");
    }

    private WorkerReport next(
            LinkedBlockingQueue<WorkerReport> queue, Duration timeout, String expected)
            throws LoadException, InterruptedException {
        // What was answered before the worker was lost comes first.
        var report =
                lost.get() == null
                        ? queue.poll(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        : queue.poll();
        if (report == null || report instanceof WorkerReport.Ended) {
            check();
            throw new LoadException(
                    "worker %s has not answered for %d s: expected '%s'"
                            .formatted(address, timeout.toSeconds(), expected));
        }
        return report;
    }

    /// Closes the connection, and tells the thread that waits and any that asks later.
    private void lose(String reason) {
        if (lost.compareAndSet(null, reason)) {
            link.close();
            var ended = new WorkerReport.Ended(reason);
            // A full queue has something for whoever waits.
            var _ = answers.offer(ended);
            var _ = looks.offer(ended);
        }
    }

    private void send(WorkerOrder order) throws IOException {
        link.send(json.writerFor(WorkerOrder.class).writeValueAsBytes(order));
    }

    private WorkerReport report() throws IOException {
        return json.readValue(link.receive(), WorkerReport.class);
    }

    private void readReports() {
        try {
            while (lost.get() == null) {
                switch (report()) {
                    case WorkerReport.Answer answer -> put(answers, answer);
                    case WorkerReport.Looked looked -> put(looks, looked);
                    case WorkerReport.Counts counts -> count(counts);
                    case WorkerReport.Ended(String reason) -> throw new IOException(reason);
                    case WorkerReport.Ready _ ->
                            throw new IOException("found it ready a second time");
                    case null -> throw new IOException("found an empty report");
                }
            }
        } catch (IOException | RuntimeException failed) {
            lose(Failures.describe(failed));
        }
    }

    private static void put(LinkedBlockingQueue<WorkerReport> queue, WorkerReport report)
            throws IOException {
        if (!queue.offer(report)) {
            throw new IOException("found answers to what nobody has asked");
        }
    }

    private void count(WorkerReport.Counts counts) throws IOException {
        var current = course;
        if (current == null || counts.points() != current.number) {
            // Those of the point before, which were under way.
            return;
        }
        var order = current.order;
        var publishers = order.publishers().numbers(order.point().publishers()).toArray();
        if (counts.sent().size() != publishers.length) {
            throw new IOException(
                    "expected the counts of %,d publishers, found %,d"
                            .formatted(publishers.length, counts.sent().size()));
        }
        for (var index = 0; index < publishers.length; index++) {
            current.counters.sent(publishers[index], counts.sent().get(index));
        }
        // Nobody asks the coordinator for single subscribers: the first of this worker has it all.
        order.subscribers()
                .numbers(order.point().subscribers())
                .findFirst()
                .ifPresent(first -> current.counters.delivered(first, counts.delivered()));
    }

    /// Grants when there is more, and otherwise says that the coordinator is there.
    private void grant() {
        var last = new WorkerOrder.Grant(0, List.of());
        var quietSince = System.nanoTime();
        try {
            while (lost.get() == null) {
                var grant = more();
                if (!grant.equals(last)
                        || System.nanoTime() - quietSince > WorkerLink.PULSE.toNanos()) {
                    send(grant);
                    last = grant;
                    quietSince = System.nanoTime();
                }
                Thread.sleep(TICK);
            }
        } catch (IOException | RuntimeException failed) {
            lose(Failures.describe(failed));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private WorkerOrder.Grant more() {
        var current = course;
        if (current == null) {
            return new WorkerOrder.Grant(0, List.of());
        }
        synchronized (granting) {
            return new WorkerOrder.Grant(current.number, current.grants.more());
        }
    }
}
