package winnow.loadgen.rate;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Outcome of one run. Immutable.
///
/// @param ratePerSecond messages that were to be sent in a second; 0 for as many as possible
/// @param sentPerSecond messages whose send returned, in the time that counts
/// @param receivedPerSecond messages that arrived, of all subscribers, in the time that counts
/// @param due messages that were due in the time that counts
/// @param sentInTime messages whose send returned in that time
/// @param arrivedInTime messages that arrived in that time, at each of their subscribers
/// @param sent messages that the broker has taken, warm-up included
/// @param received messages that have arrived, of all subscribers, warm-up included
/// @param missing copies of what the broker has taken that have not arrived
/// @param outOfSequence messages that came after a later one of their publisher, or again
/// @param refused messages that the broker did not take
/// @param refusal why it did not take the first of them, empty for none
/// @param latency from the time at which a message was due to its arrival
/// @param sending time that a send took
/// @param lag how much later than due, or than the send before returned, publishers sent
/// @param beside disturbances that went on beside it
public record RateResult(
        double ratePerSecond,
        double sentPerSecond,
        double receivedPerSecond,
        long due,
        long sentInTime,
        long arrivedInTime,
        long sent,
        long received,
        long missing,
        long outOfSequence,
        long refused,
        String refusal,
        LatencyFigures latency,
        LatencyFigures sending,
        LatencyFigures lag,
        List<SideFigures> beside) {

    /// Part of what was due that has to be sent in time.
    private static final double IN_TIME = 0.98;

    /// Lag that is no more than what other programs on the machine cause.
    private static final double USUAL_LAG_MICROS = TimeUnit.MILLISECONDS.toMicros(1);

    /// Part of the latency that the lag may be.
    private static final double LAG_PART = 0.1;

    public RateResult {
        // Files of versions without disturbances have none.
        beside = beside == null ? List.of() : List.copyOf(beside);
    }

    /// True if messages were sent and arrived about as they were due, and each has arrived.
    @JsonProperty
    public boolean keptUp() {
        return Math.min(sentInTime, arrivedInTime) >= IN_TIME * due && missing == 0 && refused == 0;
    }

    /// Reason why the figures are of no use, empty if they are of use: the generator did not keep
    /// to its own schedule, so that it measured itself.
    @JsonProperty
    public String voidReason() {
        if (latency.count() == 0) {
            return "no message arrived of those that count";
        }
        var allowed = Math.max(USUAL_LAG_MICROS, LAG_PART * latency.p99Micros());
        return ratePerSecond > 0 && lag.p99Micros() > allowed
                ? ("the load generator sent 1 %% of the messages more than %,.1f ms late by itself"
                                + " (%,.1f ms are allowed): it needs more processor time")
                        .formatted(lag.p99Micros() / 1e3, allowed / 1e3)
                : "";
    }
}
