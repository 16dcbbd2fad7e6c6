package winnow.loadgen.peer;

/// Times of the rounds of one load. Immutable.
///
/// @param load the load
/// @param minMicros from the first send of the quickest round to its last acknowledgement
/// @param p50Micros half of the rounds take this at most
/// @param p99Micros 99 % of the rounds take this at most
/// @param maxMicros the slowest round
public record PeerResult(
        PeerLoad load, double minMicros, double p50Micros, double p99Micros, double maxMicros) {

    /// Messages that receivers get in a second, in the round in the middle.
    public double messagesPerSecond() {
        return load.acknowledgements() / (p50Micros / 1e6);
    }
}
