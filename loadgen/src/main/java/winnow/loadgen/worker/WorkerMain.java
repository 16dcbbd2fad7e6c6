package winnow.loadgen.worker;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.jms.JMSException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// The worker process: carries out one [Command] per line of input and answers each with one
/// [Reply]. Ends when the input does, so no worker outlives its coordinator. One thread carries out
/// commands, another reads them.
public final class WorkerMain {

    /// Time for shutdown hooks.
    private static final Duration EXIT = Duration.ofSeconds(5);

    private final ObjectMapper json = new ObjectMapper();
    private @Nullable PointLoad load;

    private WorkerMain() {}

    static void main() throws IOException, InterruptedException {
        var replies =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // Whatever a provider prints must not get between the replies.
        System.setOut(System.err);
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var lines = new LinkedBlockingQueue<String>();
        Thread.ofPlatform().daemon().name("commands").start(() -> pass(commands, lines));
        var worker = new WorkerMain();
        while (true) {
            replies.println(worker.answer(lines.take()));
        }
    }

    /// Passes lines on until the input ends, and ends the process with it, whatever it is doing.
    private static void pass(BufferedReader commands, LinkedBlockingQueue<String> lines) {
        try {
            for (var line = commands.readLine(); line != null; line = commands.readLine()) {
                lines.add(line);
            }
        } catch (IOException broken) {
            // Nobody gives commands any more.
        }
        Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(0));
        try {
            Thread.sleep(EXIT);
        } catch (InterruptedException atOnce) {
            Thread.currentThread().interrupt();
        }
        // A shutdown hook of the provider does not come to its end.
        Runtime.getRuntime().halt(0);
    }

    private String answer(String line) throws IOException {
        Reply reply;
        try {
            reply = carryOut(json.readValue(line, Command.class));
        } catch (Exception | OutOfMemoryError failed) {
            // Whoever asked ends this process then.
            reply = new Reply.Failed(Failures.describe(failed));
        }
        return json.writerFor(Reply.class).writeValueAsString(reply);
    }

    private Reply carryOut(Command command) throws JMSException, IOException, InterruptedException {
        return switch (command) {
            case Command.Open open -> {
                if (load != null) {
                    throw new IllegalStateException("expected a close command first");
                }
                load = PointLoad.open(open);
                yield new Reply.Opened();
            }
            case Command.Start() -> {
                opened().start();
                yield new Reply.Started();
            }
            case Command.Stop() -> new Reply.Stopped(opened().stop());
            case Command.Close() -> {
                var closing = opened();
                load = null;
                yield closing.close();
            }
            case Command.MeasureLatency order -> new LatencyProbe(order).measure();
        };
    }

    private PointLoad opened() {
        var current = load;
        if (current == null) {
            throw new IllegalStateException("expected an open command first");
        }
        return current;
    }
}
