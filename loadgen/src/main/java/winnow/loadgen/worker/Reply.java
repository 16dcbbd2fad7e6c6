package winnow.loadgen.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/// A worker's answer to one [Command].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Reply.Opened.class, name = "opened"),
    @JsonSubTypes.Type(value = Reply.Started.class, name = "started"),
    @JsonSubTypes.Type(value = Reply.Stopped.class, name = "stopped"),
    @JsonSubTypes.Type(value = Reply.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = Reply.Latencies.class, name = "latencies"),
    @JsonSubTypes.Type(value = Reply.Failed.class, name = "failed")
})
public sealed interface Reply {

    record Opened() implements Reply {}

    record Started() implements Reply {}

    /// @param sentByTarget what was sent, indexed by target; empty if this worker does not publish
    record Stopped(List<Tally> sentByTarget) implements Reply {

        public Stopped {
            sentByTarget = List.copyOf(sentByTarget);
        }
    }

    /// @param receipts what each subscriber got; empty if this worker does not subscribe
    /// @param errors whatever went wrong since `open`, in the provider's words
    record Closed(List<Receipt> receipts, List<String> errors) implements Reply {

        public Closed {
            receipts = List.copyOf(receipts);
            errors = List.copyOf(errors);
        }
    }

    /// Times from when messages were due to when they arrived, in nanoseconds.
    ///
    /// @param messages number of messages measured
    record Latencies(long messages, long p50Nanos, long p99Nanos, long p999Nanos, long maxNanos)
            implements Reply {}

    /// The command could not be carried out.
    record Failed(String message) implements Reply {}
}
