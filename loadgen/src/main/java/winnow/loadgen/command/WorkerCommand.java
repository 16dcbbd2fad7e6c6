package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.WorkerAddressText;
import winnow.loadgen.remote.WorkerAddress;
import winnow.loadgen.remote.WorkerSecret;
import winnow.loadgen.remote.WorkerServer;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.WorkerStart;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.Provider;

/// `winnow load worker`: publishers and subscribers of another machine's `winnow load run`.
@Command(
        name = "worker",
        description =
                "Publishes and subscribes for a 'load run --workers' on another machine, and"
                        + " measures this one meanwhile.",
        sortOptions = false,
        footer = {
            "",
            "Serves one coordinator after the other until it is ended; a second one at the same"
                    + " time is refused. Prints a line when it is ready.",
            "",
            "Coordinator and workers prove to each other that they know the same secret, and every"
                    + " line between them is authenticated. Nothing is encrypted, neither is the"
                    + " broker's password: use it on a test network. A coordinator may have this"
                    + " machine connect to any broker with the provider that is named here, and"
                    + " its URL may name files that the provider reads, such as a trust store; it"
                    + " cannot choose classes, jars or JVM options.",
            "",
            "Examples: winnow load worker --new-secret secret",
            "          winnow load worker --listen 10.0.0.2:7621 --secret-file secret"
        })
final class WorkerCommand implements Callable<Integer> {

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = WorkerAddressText.class,
            defaultValue = "127.0.0.1:7621",
            description =
                    "Address of this machine where coordinators connect; port 0 for a free one;"
                            + " default: ${DEFAULT-VALUE}.")
    private WorkerAddress listen = new WorkerAddress("127.0.0.1", 7_621);

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description =
                    "File with the secret that coordinators know, at least 32 characters, which"
                            + " only its owner, this user or root, may read; default: the secret"
                            + " itself in $$"
                            + WorkerSecret.VARIABLE
                            + ". There is none without.")
    private @Nullable Path secretFile;

    @Option(
            names = "--new-secret",
            paramLabel = "FILE",
            description = "Write a new random secret to a new file with the mode 0600, and end.")
    private @Nullable Path newSecret;

    @Option(
            names = "--provider",
            paramLabel = "CLASS",
            defaultValue = Provider.WINNOW_FACTORY,
            description =
                    "The only ConnectionFactory that coordinators may name; default:"
                            + " ${DEFAULT-VALUE}.")
    private String provider = Provider.WINNOW_FACTORY;

    @Option(
            names = "--classpath",
            paramLabel = "DIR",
            description =
                    "Directory with the jars of another provider; not for Winnow's own, which needs"
                            + " none.")
    private @Nullable Path classpath;

    @Option(
            names = "--worker-options",
            paramLabel = "OPTIONS",
            split = " ",
            defaultValue = Workers.DEFAULT_OPTIONS,
            description = "JVM options of the worker process; default: ${DEFAULT-VALUE}.")
    private List<String> jvmOptions = List.of();

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "Where the error output of worker processes goes; default: a new file in the"
                            + " directory for temporary ones, removed at the end if it is"
                            + " empty.")
    private @Nullable Path log;

    @Override
    public Integer call() throws IOException, LoadException {
        if (newSecret != null) {
            WorkerSecret.write(newSecret);
            return 0;
        }
        var secret = WorkerSecret.of(secretFile, System.getenv());
        var start = WorkerStart.of(provider, classpath, jvmOptions);
        var errors = log == null ? Files.createTempFile("winnow-worker-", ".log") : log;
        // Lines that are there when they are printed, wherever they go.
        PrintStream out = System.out;
        var server = server(secret, new WorkerServer.Offer(provider, start, errors), out);
        var atEnd = new Thread(() -> end(server, errors), "end");
        Runtime.getRuntime().addShutdownHook(atEnd);
        try (server) {
            out.printf("worker ready at %s, log in %s%n", server.address(), errors);
            out.flush();
            server.serve();
        }
        return 0;
    }

    /// Nothing stays behind but a log that has text, or that the user has named.
    private void end(WorkerServer server, Path errors) {
        try {
            server.close();
            if (log == null && Files.size(errors) == 0) {
                Files.delete(errors);
            }
        } catch (IOException left) {
            System.err.println("winnow: " + errors + " is left behind: " + left.getMessage());
        }
    }

    private WorkerServer server(WorkerSecret secret, WorkerServer.Offer offer, PrintStream out)
            throws LoadException {
        try {
            return new WorkerServer(
                    listen, secret, offer, line -> out.println(ReceivedText.visible(line)));
        } catch (IOException failed) {
            throw new LoadException(
                    "cannot listen at %s: %s".formatted(listen, Failures.describe(failed)), failed);
        }
    }
}
