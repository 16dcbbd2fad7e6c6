package winnow.loadgen.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.HostUse;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.NetworkUse;
import winnow.loadgen.machine.ThreadUse;
import winnow.loadgen.machine.WorkerLook;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Part;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.SharedCounters;
import winnow.loadgen.worker.WorkerMain;

/// One worker process, seen from the coordinator: a line out, a line back.
///
/// Owned by the coordinator's thread, but any other one may look; a virtual thread of its own waits
/// for lines.
public final class WorkerProcess implements Worker {

    /// End of the queue of replies, as no JSON line is empty.
    private static final String ENDED = "";

    /// Environment variable with the secret of coordinator and workers, which a provider does not
    /// get to see.
    public static final String SECRET_VARIABLE = "WINNOW_WORKER_SECRET";

    /// Between two looks at the state of the process.
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final Duration EXIT = Duration.ofSeconds(5);

    /// Lines that a failure quotes of what the worker has printed, and of its log without stack
    /// traces.
    private static final int QUOTED_LINES = 5;

    private final ObjectMapper json = new ObjectMapper();
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedWriter commands;
    private final CpuClock cpu;

    /// Its part in the last point that was opened.
    private volatile @Nullable Shown shown;

    private long lastLook = System.nanoTime();
    private boolean wasSuspended;

    /// @param log gets its error output at its end
    WorkerProcess(WorkerStart start, String name, Path log) throws IOException {
        this.name = name;
        this.log = log;
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(start.jvmOptions());
        command.addAll(List.of("-cp", start.classPath(), WorkerMain.class.getName()));
        var builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile()));
        builder.environment().remove(SECRET_VARIABLE);
        process = builder.start();
        commands = process.outputWriter(StandardCharsets.UTF_8);
        cpu = CpuClock.ofProcess(process.pid());
        Thread.ofVirtual().name("replies of " + log.getFileName()).start(this::readReplies);
    }

    private record Shown(SharedCounters counters, Part publishers, Part subscribers) {

        static Shown in(Command.Open order) throws IOException {
            var point = order.point();
            var file = Path.of(order.counters());
            return new Shown(
                    SharedCounters.map(file, point.publishers(), point.subscribers()),
                    order.publishers(),
                    order.subscribers());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Machine machine() {
        return Machine.current();
    }

    @Override
    public boolean isHere() {
        return true;
    }

    @Override
    public void tell(Command command) {
        try {
            if (command instanceof Command.Open order) {
                shown = Shown.in(order);
            }
            commands.write(json.writerFor(Command.class).writeValueAsString(command));
            commands.newLine();
            commands.flush();
        } catch (IOException ended) {
            process.destroy();
        }
    }

    @Override
    public <R extends Reply> R answer(Class<R> expected, Duration timeout)
            throws LoadException, InterruptedException {
        var line = lines.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new LoadException(
                    "worker has not answered for %d s: expected '%s'"
                            .formatted(timeout.toSeconds(), expected.getSimpleName()));
        }
        if (line.equals(ENDED)) {
            throw new LoadException("worker ended: " + quotedLog());
        }
        try {
            var reply = json.readValue(line, Reply.class);
            if (reply instanceof Reply.Failed(String message)) {
                throw new LoadException(message);
            }
            return expected.cast(reply);
        } catch (IOException | ClassCastException _) {
            throw new LoadException("worker printed: " + printedFrom(line));
        }
    }

    /// Output from a line on that is no reply, such as a failure of the JVM to start.
    private String printedFrom(String first) throws InterruptedException {
        var printed = new ArrayList<String>();
        for (String line = first;
                line != null && !line.equals(ENDED) && printed.size() < QUOTED_LINES;
                line = lines.poll(1, TimeUnit.SECONDS)) {
            if (!line.equals("#")) {
                printed.add(line);
            }
        }
        return String.join(" | ", printed) + "; " + quotedLog();
    }

    @Override
    public WorkerLook look(boolean threads) throws IOException {
        var current = shown;
        return new WorkerLook(
                System.nanoTime(),
                current == null ? 0 : current.counters.sent(current.publishers),
                current == null ? 0 : current.counters.delivered(current.subscribers),
                cpuNanos(),
                threads ? ThreadUse.of(process.pid()) : ThreadUse.unknown(),
                HostUse.now(),
                NetworkUse.now());
    }

    @Override
    public synchronized void check() throws LoadException {
        if (!process.isAlive()) {
            throw new LoadException("worker ended: " + quotedLog());
        }
        if (System.nanoTime() - lastLook > LOOK.toNanos()) {
            lastLook = System.nanoTime();
            var suspended = isSuspended();
            // Twice: after Ctrl-Z and fg the coordinator may go on before it.
            if (suspended && wasSuspended) {
                throw new LoadException(
                        "worker %d is suspended: expected a running process"
                                .formatted(process.pid()));
            }
            wasSuspended = suspended;
        }
    }

    /// By signal SIGSTOP or a debugger; not known without Linux.
    private boolean isSuspended() {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            // The name of the process before it may have parentheses, too.
            var state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state == 'T' || state == 't';
        } catch (IOException unknown) {
            return false;
        }
    }

    private long cpuNanos() throws IOException {
        try {
            return cpu.cpuNanos().orElse(0);
        } catch (IOException gone) {
            throw new IOException("worker ended: " + quotedLog(), gone);
        }
    }

    /// Ends the process: by the end of its input, or by force if it takes more than five seconds.
    @Override
    public void close() {
        try {
            commands.close();
        } catch (IOException alreadyGone) {
            process.destroy();
        }
        try {
            if (!process.waitFor(EXIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the process by force.
    public void kill() {
        process.destroyForcibly();
        close();
    }

    private void readReplies() {
        try (var replies = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = replies.readLine(); line != null; line = replies.readLine()) {
                lines.add(line);
            }
            lines.add(ENDED);
        } catch (IOException closed) {
            lines.add(ENDED);
        }
    }

    private String quotedLog() {
        try {
            var all =
                    Files.readAllLines(log).stream()
                            .filter(line -> !line.startsWith("\t"))
                            .toList();
            var tail = all.subList(Math.max(0, all.size() - QUOTED_LINES), all.size());
            return tail.stream().collect(Collectors.joining(" | ")) + " (" + log + ")";
        } catch (IOException unreadable) {
            return "see " + log;
        }
    }
}
