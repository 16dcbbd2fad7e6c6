package winnow.loadgen.remote;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.WorkerLook;
import winnow.loadgen.worker.Reply;

/// A line of the machine of a worker to the coordinator. At least one each [WorkerLink#PULSE].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = WorkerReport.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = WorkerReport.Answer.class, name = "answer"),
    @JsonSubTypes.Type(value = WorkerReport.Looked.class, name = "looked"),
    @JsonSubTypes.Type(value = WorkerReport.Counts.class, name = "counts"),
    @JsonSubTypes.Type(value = WorkerReport.Ended.class, name = "ended")
})
sealed interface WorkerReport {

    /// The first one: a worker process is there for this coordinator alone.
    record Ready(Machine machine) implements WorkerReport {}

    /// The worker process's answer to the oldest command that has none.
    record Answer(Reply reply) implements WorkerReport {}

    /// The answer to [WorkerOrder.Look].
    record Looked(WorkerLook look) implements WorkerReport {}

    /// Messages that the worker has sent and delivered.
    ///
    /// @param points number of points opened on this connection so far: counts of the last one
    /// @param sent by each of its publishers, in the order of their numbers
    /// @param delivered to those of its subscribers that get messages
    record Counts(int points, List<Long> sent, long delivered) implements WorkerReport {

        public Counts {
            sent = List.copyOf(sent);
        }
    }

    /// The last one.
    ///
    /// @param reason for people
    record Ended(String reason) implements WorkerReport {}
}
