package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Starts worker processes on this machine. Immutable.
///
/// @param classPath of the process, which nobody but this machine chooses
/// @param jvmOptions of the process
public record WorkerStart(String classPath, List<String> jvmOptions) {

    private static final String ARCHIVE = "winnow.archive";

    public WorkerStart {
        jvmOptions = List.copyOf(jvmOptions);
    }

    /// For a provider.
    ///
    /// @param jars directory with the provider's jars; null if they are on this class path
    public static WorkerStart of(String factoryClass, @Nullable Path jars, List<String> jvmOptions)
            throws LoadException {
        var options = new ArrayList<>(jvmOptions);
        if (jars == null) {
            options.addAll(archive());
            return new WorkerStart(WorkerClassPath.forWinnow(), options);
        }
        return new WorkerStart(WorkerClassPath.forProvider(jars, factoryClass), options);
    }

    /// Starts one.
    ///
    /// @param log where its error output goes, after what is there
    public WorkerProcess process(String name, Path log) throws IOException {
        return new WorkerProcess(this, name, log);
    }

    /// Options for the start-up archive of the load generator, if the launcher names one.
    private static List<String> archive() {
        var file = System.getProperty(ARCHIVE, "");
        return file.isEmpty() || !Files.exists(Path.of(file))
                ? List.of()
                : List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:aot+heap=off");
    }
}
