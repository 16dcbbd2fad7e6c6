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
import org.jspecify.annotations.Nullable;

/// The worker process: carries out one [Command] per line of input and answers each with one
/// [Reply]. Ends when the input does, so no worker outlives its coordinator. One thread.
public final class WorkerMain {

    private final ObjectMapper json = new ObjectMapper();
    private @Nullable PointLoad load;

    private WorkerMain() {}

    static void main() throws IOException {
        var replies =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        // Whatever a provider prints must not get between the replies.
        System.setOut(System.err);
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var worker = new WorkerMain();
        for (var line = commands.readLine(); line != null; line = commands.readLine()) {
            replies.println(worker.answer(line));
        }
        // Providers may have left threads that are no daemons.
        System.exit(0);
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
                load = PointLoad.open(open);
                yield new Reply.Opened();
            }
            case Command.Start() -> {
                opened().start();
                yield new Reply.Started();
            }
            case Command.Stop() -> new Reply.Stopped(opened().stop());
            case Command.Close() -> opened().close();
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
