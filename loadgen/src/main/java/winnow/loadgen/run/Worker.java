package winnow.loadgen.run;

import java.io.IOException;
import java.time.Duration;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.WorkerLook;
import winnow.loadgen.worker.Command;
import winnow.loadgen.worker.Reply;

/// One worker process, here or elsewhere, seen from the coordinator. Owned by the coordinator's
/// thread.
public interface Worker extends AutoCloseable {

    /// Name of its place, for people.
    String name();

    /// The machine that it runs on.
    Machine machine();

    /// True if that is the coordinator's machine.
    boolean isHere();

    /// Sends a command without waiting. Whoever waits for the answer hears if nobody listens.
    void tell(Command command);

    /// Waits for the answer to the oldest command that has none.
    <R extends Reply> R answer(Class<R> expected, Duration timeout)
            throws LoadException, InterruptedException;

    /// Looks whether it is still there, without asking it.
    ///
    /// @throws LoadException with the reason, if it is not
    void check() throws LoadException;

    /// Looks at its counts of the open point and at its machine.
    ///
    /// @param threads true to look at its threads, too, which takes longer
    WorkerLook look(boolean threads) throws IOException, LoadException, InterruptedException;

    /// Ends it.
    @Override
    void close();
}
