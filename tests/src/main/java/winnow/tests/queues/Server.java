package winnow.tests.queues;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A broker in a process of its own: started, found by its ready line, ended by its id. Its log is
/// appended to a file beside the directory of its messages. Used by one thread, but [#kill] may be
/// called by any.
final class Server implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready: (?:jms=)?(\\S+:\\d+).*");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");
    private static final long READY_SECONDS = 60;
    private static final long STOP_SECONDS = 15;

    private final Process process;
    private final File log;
    private final long start = System.nanoTime();
    private String address = "";
    private double startSeconds;

    /// Starts it, and does not wait for it.
    ///
    /// @param files where it keeps its messages
    Server(Contender contender, Path files) throws IOException {
        List<String> command = new ArrayList<>(contender.command());
        command.add(files.toString());
        log = files.resolveSibling(contender.name() + ".log").toFile();
        process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log))
                        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .start();
    }

    /// Waits until clients can connect.
    ///
    /// @throws IOException if it ends before, or takes more than a minute
    void awaitReady() throws IOException {
        Thread watch = Thread.ofVirtual().start(this::killIfSlow);
        BufferedReader out = process.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                startSeconds = (System.nanoTime() - start) / 1e9;
                address = ready.group(1);
                watch.interrupt();
                Thread.ofVirtual().start(() -> skip(out));
                return;
            }
        }
        throw new IOException("the broker ended before it was ready, see " + log);
    }

    /// Reads on, so that the broker never waits for room in the pipe.
    private static void skip(BufferedReader out) {
        try {
            while (out.readLine() != null) {}
        } catch (IOException ended) {
            // The broker was killed.
        }
    }

    private void killIfSlow() {
        try {
            TimeUnit.SECONDS.sleep(READY_SECONDS);
            process.destroyForcibly();
        } catch (InterruptedException ready) {
            Thread.currentThread().interrupt();
        }
    }

    /// Host and port for clients.
    String address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    /// From the start of the process, launcher included, until clients could connect.
    double startSeconds() {
        return startSeconds;
    }

    /// What its heap holds after full collections, in bytes.
    long heapBytes() throws IOException, InterruptedException {
        jcmd("GC.run");
        Matcher total = TOTAL.matcher(jcmd("GC.class_histogram"));
        if (!total.find()) {
            throw new IOException("expected a histogram of the heap, found no total");
        }
        return Long.parseLong(total.group(1));
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        Process jcmd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                Long.toString(pid()),
                                command)
                        .redirectErrorStream(true)
                        .start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        jcmd.waitFor();
        return answer;
    }

    /// Ends it as an operator does, and waits for its end.
    void stop() {
        process.destroy();
        process.onExit()
                .orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
                .exceptionally(_ -> kill())
                .join();
    }

    /// Ends it by SIGKILL, and waits for its end.
    Process kill() {
        return process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        stop();
    }
}
