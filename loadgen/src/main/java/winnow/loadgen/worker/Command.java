package winnow.loadgen.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Set;
import winnow.loadgen.workload.Delivery;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Sending;

/// What the coordinator asks of a worker: `Open`, `Start`, `Stop`, `Close`, in this order for each
/// point, or `MeasureLatency` alone. A worker ends when its input ends.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Command.Open.class, name = "open"),
    @JsonSubTypes.Type(value = Command.Start.class, name = "start"),
    @JsonSubTypes.Type(value = Command.Stop.class, name = "stop"),
    @JsonSubTypes.Type(value = Command.Close.class, name = "close"),
    @JsonSubTypes.Type(value = Command.MeasureLatency.class, name = "measure-latency")
})
public sealed interface Command {

    /// Connect everybody and create the messages; answered with [Reply.Opened].
    ///
    /// @param roles what this worker plays
    /// @param counters path of the file behind [SharedCounters]
    /// @param maxInFlight bound of copies under way, 0 for none
    record Open(
            Provider provider,
            Set<Role> roles,
            String topic,
            Point point,
            MessageShape message,
            int maxInFlight,
            String counters)
            implements Command {

        public Open {
            roles = Set.copyOf(roles);
        }
    }

    /// Begin to send; answered with [Reply.Started].
    record Start() implements Command {}

    /// Send no more; answered with [Reply.Stopped] when every send has returned.
    record Stop() implements Command {}

    /// Disconnect everybody; answered with [Reply.Closed].
    record Close() implements Command {}

    /// Connect everybody, send at a pace and disconnect everybody; answered with [Reply.Latencies].
    ///
    /// @param point whose subscribers are connected, all of them; there is one publisher
    /// @param message each is sent once, since its body has its due time, for which it is at least
    ///   eight bytes long
    /// @param patienceMillis time after the last send within which all messages must have arrived
    record MeasureLatency(
            Provider provider,
            String topic,
            Point point,
            MessageShape message,
            Pace pace,
            long patienceMillis)
            implements Command {

        public MeasureLatency {
            if (point.sending() != Sending.ONE_ID || point.matching() == 0) {
                throw new IllegalArgumentException(
                        ("expected a point in which every message reaches the first subscriber,"
                                        + " found %s, %s")
                                .formatted(point.label(), point.sending().label()));
            }
        }
    }

    /// The two sides of the load; one worker plays both, or two play one each.
    enum Role {
        PUBLISH,
        SUBSCRIBE
    }

    /// @param bodyBytes body size
    /// @param async whether sends are confirmed to a completion listener instead of waited for
    /// @param source whether each message is sent once or over and over
    record MessageShape(int bodyBytes, Delivery delivery, boolean async, MessageSource source) {}
}
