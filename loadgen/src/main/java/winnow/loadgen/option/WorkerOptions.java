package winnow.loadgen.option;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.remote.RemoteWorkers;
import winnow.loadgen.remote.WorkerSecret;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.WorkerSource;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Provider;

/// Options for the place of publishers and subscribers.
public final class WorkerOptions {

    @Option(
            names = "--workers",
            paramLabel = "LAYOUT",
            defaultValue = "together",
            description =
                    "Where publishers and subscribers are. On this machine in one process,"
                            + " 'together', or in two, 'separate'; or where 'load worker' listens:"
                            + " HOST:PORT[,HOST:PORT]... publish and subscribe;"
                            + " HOST:PORT[,HOST:PORT].../HOST:PORT[,HOST:PORT]... publish, those"
                            + " after the slash subscribe. Default: ${DEFAULT-VALUE}.")
    private String workers = "together";

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description =
                    "File with the secret of the workers elsewhere; default: the secret itself in"
                            + " $$"
                            + WorkerSecret.VARIABLE
                            + ".")
    private @Nullable Path secretFile;

    @Option(
            names = "--worker-options",
            paramLabel = "OPTIONS",
            split = " ",
            description =
                    "JVM options of worker processes on this machine; default: "
                            + Workers.DEFAULT_OPTIONS
                            + ".")
    private @Nullable List<String> jvmOptions;

    /// The workers, none of which is started.
    ///
    /// @param jars directory with the provider's jars; null if they are on the class path
    /// @param logs directory for the error output of those on this machine
    /// @throws IllegalArgumentException if options contradict each other
    public WorkerSource source(Provider provider, @Nullable Path jars, Path logs)
            throws LoadException {
        for (var layout : Workers.Layout.values()) {
            if (layout.toString().equals(workers.toLowerCase(Locale.ROOT))) {
                if (secretFile != null) {
                    throw new IllegalArgumentException(
                            "expected --workers HOST:PORT with --secret-file, found " + layout);
                }
                return Workers.local(provider, jars, layout, jvmOptions(), logs);
            }
        }
        if (!workers.contains(":")) {
            throw new IllegalArgumentException(
                    "--workers: expected together, separate or HOST:PORT of workers, found '%s'"
                            .formatted(workers));
        }
        if (jars != null || jvmOptions != null) {
            throw new IllegalArgumentException(
                    "--classpath and --worker-options are for workers on this machine: 'load"
                            + " worker' has its own");
        }
        return RemoteWorkers.of(workers, WorkerSecret.of(secretFile, System.getenv()));
    }

    private List<String> jvmOptions() {
        return jvmOptions == null ? jvmOptions(Workers.DEFAULT_OPTIONS) : jvmOptions;
    }

    /// Options that spaces separate.
    public static List<String> jvmOptions(String text) {
        return List.of(text.split(" ", -1));
    }
}
