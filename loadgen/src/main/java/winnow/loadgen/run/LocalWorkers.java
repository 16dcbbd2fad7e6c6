package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.Workers.Layout;
import winnow.loadgen.worker.Provider;

/// Worker processes on this machine. Owned by the coordinator's thread.
final class LocalWorkers implements WorkerSource {

    private final WorkerStart start;
    private final Layout layout;
    private final Path logs;
    private final List<WorkerLog> workerLogs = new ArrayList<>();

    /// @param logs directory for their error output
    private LocalWorkers(WorkerStart start, Layout layout, Path logs) {
        this.start = start;
        this.layout = layout;
        this.logs = logs;
    }

    /// @param jars directory with the provider's jars; null if they are on this class path
    /// @param logs directory for their error output
    static LocalWorkers of(
            Provider provider,
            @Nullable Path jars,
            Layout layout,
            List<String> jvmOptions,
            Path logs)
            throws LoadException {
        return new LocalWorkers(
                WorkerStart.of(provider.factoryClass(), jars, jvmOptions), layout, logs);
    }

    @Override
    public List<Seat> start() throws LoadException {
        var seats = new ArrayList<Seat>();
        try {
            for (var roles : layout.roles()) {
                var number = seats.size() + 1;
                var log = logs.resolve("worker-" + number + ".log");
                if (workerLogs.size() < number) {
                    workerLogs.add(WorkerLog.from(log));
                }
                seats.add(
                        new Seat(
                                start.process("worker " + number, log),
                                roles.publishers(),
                                roles.subscribers()));
            }
            return seats;
        } catch (IOException failed) {
            seats.forEach(seat -> seat.worker().close());
            throw new LoadException("cannot start a worker: " + failed.getMessage(), failed);
        }
    }

    @Override
    public String label() {
        return layout.toString();
    }

    @Override
    public boolean isElsewhere() {
        return false;
    }

    @Override
    public List<String> warnings() {
        return workerLogs.stream().map(WorkerLog::summary).flatMap(Optional::stream).toList();
    }
}
