package winnow.loadgen.run;

import java.util.List;

/// Starts the workers of a run: at its beginning, and again after a point that failed.
public interface WorkerSource {

    /// New workers; those that only publish are last.
    List<Seat> start() throws LoadException, InterruptedException;

    /// Spread of the load over them, for people.
    String label();

    /// True if they have machines of their own, with clocks of their own.
    boolean isElsewhere();

    /// Warnings of the provider, one sentence for each worker's log that can be read.
    List<String> warnings();
}
