package winnow.loadgen.roundtrip;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/// Figures of messages of one size on one layer. Immutable.
///
/// @param trips round trips
/// @param meanMicros of a round trip, over all of them
/// @param bestMicros mean of the shortest series
/// @param worstMicros mean of the longest series
/// @param p50Micros half of the round trips took at most so long
/// @param p99Micros 99 % of them did
/// @param streamPerSecond messages per second of a one-way stream; null if the layer has none
/// @param wireBytes bytes on each TCP connection for a message of this size, with headers,
///   confirmations and credit, without TCP, IP and Ethernet; null if it was not counted
public record LayerResult(
        Layer layer,
        int bytes,
        long trips,
        double meanMicros,
        double bestMicros,
        double worstMicros,
        double p50Micros,
        double p99Micros,
        @Nullable Double streamPerSecond,
        @Nullable Double wireBytes) {

    /// Payload of both directions over the time of a round trip, as in the papers; 10^6 bytes per
    /// second.
    public double megabytesPerSecond() {
        return 2.0 * bytes / meanMicros;
    }

    /// Payload of the one-way stream; null without one.
    public @Nullable Double streamMegabytesPerSecond() {
        return streamPerSecond == null ? null : streamPerSecond * bytes / 1e6;
    }

    /// Bytes on the wire that are not payload; null if they were not counted.
    @JsonIgnore
    public @Nullable Double overheadBytes() {
        return wireBytes == null ? null : wireBytes - bytes;
    }
}
