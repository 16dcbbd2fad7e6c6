package winnow.loadgen.worker;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;

/// Order of the coordinator to a worker: `Open`, `Start`, `Stop`, `Close`, in this order for each
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
    /// @param publishers part that this worker plays
    /// @param subscribers part that this worker plays
    /// @param topic name of the only topic, or beginning of the names of several
    /// @param counters path of the file behind [SharedCounters]
    /// @param maxInFlight bound of copies under way, 0 for none
    /// @param reserving side that keeps the bound
    record Open(
            Provider provider,
            Part publishers,
            Part subscribers,
            String topic,
            Point point,
            MessageShape message,
            int maxInFlight,
            Reserving reserving,
            String counters)
            implements Command {

        /// The same order for a worker that plays a part.
        public Open of(Part itsPublishers, Part itsSubscribers) {
            return new Open(
                    provider,
                    itsPublishers,
                    itsSubscribers,
                    topic,
                    point,
                    message,
                    maxInFlight,
                    reserving,
                    counters);
        }

        /// The same order with another file of counters.
        public Open counting(Reserving who, String file) {
            return new Open(
                    provider,
                    publishers,
                    subscribers,
                    topic,
                    point,
                    message,
                    maxInFlight,
                    who,
                    file);
        }

        /// True if the copies under way are bounded: without copies they are not.
        @JsonIgnore
        public boolean isBounded() {
            return maxInFlight > 0 && point.matching() > 0;
        }

        /// Name of one of the point's topics, from 0.
        public String topic(int number) {
            return topicName(topic, point, number);
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
            if (point.targets() > 1 || point.matching() == 0) {
                throw new IllegalArgumentException(
                        "expected a point in which every message reaches the first subscriber,"
                                + " found "
                                + point.label());
            }
        }
    }

    private static String topicName(String topic, Point point, int number) {
        return point.topics() == 1 ? topic : topic + "." + number;
    }

    /// Side that reserves messages for a publisher, within the bound of copies under way.
    enum Reserving {
        /// The publisher itself: it sees the counters of all.
        PUBLISHER,
        /// The coordinator, which alone sees the counters of all machines.
        COORDINATOR
    }

    /// @param bodyBytes body size
    /// @param async true if sends are confirmed to a completion listener instead of waited for
    /// @param source of messages, which are sent once or over and over
    record MessageShape(
            int bodyBytes, DeliveryGuarantee delivery, boolean async, MessageSource source) {}
}
