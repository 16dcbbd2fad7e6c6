package winnow.loadgen.remote;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import winnow.loadgen.worker.Command;

/// A line of the coordinator to the machine of a worker. At least one each [WorkerLink#PULSE].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = WorkerOrder.Carry.class, name = "carry"),
    @JsonSubTypes.Type(value = WorkerOrder.Look.class, name = "look"),
    @JsonSubTypes.Type(value = WorkerOrder.Grant.class, name = "grant")
})
sealed interface WorkerOrder {

    /// Is for the worker process; answered with [WorkerReport.Answer]. The machine chooses the file
    /// of counters itself.
    record Carry(Command command) implements WorkerOrder {}

    /// Answered with [WorkerReport.Looked].
    ///
    /// @param threads true to look at the threads of the worker
    record Look(boolean threads) implements WorkerOrder {}

    /// Messages that publishers may have sent in all.
    ///
    /// @param points number of points opened on this connection so far: grants of the last one
    /// @param messages for each publisher of this worker, in the order of their numbers; empty if
    ///   there is no bound
    record Grant(int points, List<Long> messages) implements WorkerOrder {

        public Grant {
            messages = List.copyOf(messages);
        }
    }
}
