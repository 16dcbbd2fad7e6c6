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
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Reply;
import winnow.loadgen.worker.WorkerMain;

/// One worker process, seen from the coordinator: a line out, a line back.
///
/// Owned by the coordinator's thread; a virtual thread of its own waits for lines.
final class WorkerProcess implements AutoCloseable {

    /// What ends the queue of replies when the process does; no JSON line is empty.
    private static final String ENDED = "";

    private static final Duration EXIT = Duration.ofSeconds(5);

    /// Lines that a failure quotes of what the worker has printed, and of its log without stack
    /// traces.
    private static final int QUOTED_LINES = 5;

    private final ObjectMapper json = new ObjectMapper();
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Path log;
    private final Process process;
    private final BufferedWriter commands;
    private final CpuClock cpu;

    /// @param log where its error output goes, after what is there
    WorkerProcess(String classPath, List<String> jvmOptions, Path log) throws IOException {
        this.log = log;
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, WorkerMain.class.getName()));
        process =
                new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
        commands = process.outputWriter(StandardCharsets.UTF_8);
        cpu = CpuClock.ofProcess(process.pid());
        Thread.ofVirtual().name("replies of " + log.getFileName()).start(this::readReplies);
    }

    /// Sends a command without waiting. Whoever waits for the answer hears if nobody listens.
    void tell(Command command) {
        try {
            commands.write(json.writerFor(Command.class).writeValueAsString(command));
            commands.newLine();
            commands.flush();
        } catch (IOException ended) {
            process.destroy();
        }
    }

    /// Waits for the answer to the oldest command that has none.
    <R extends Reply> R answer(Class<R> expected, Duration timeout)
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

    /// What the process prints from a line on that is no reply, such as why its JVM does not start.
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

    ThreadUse threadUse() throws IOException {
        return ThreadUse.of(process.pid());
    }

    /// CPU time of the process in nanoseconds.
    long cpuNanos() throws IOException {
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
