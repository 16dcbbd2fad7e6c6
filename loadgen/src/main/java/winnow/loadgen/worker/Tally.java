package winnow.loadgen.worker;

/// A number of messages and a checksum over which ones they were. Immutable.
///
/// The checksum is a sum, modulo 2^64, of the scrambled JMSTimestamp of each message. The provider
/// sets that header on every send and both sides can read it, so the check adds nothing to the
/// message under test and costs one addition. Two tallies are equal if the same messages are in
/// both; a message lost and another one doubled in its place shows up unless both were sent within
/// the same millisecond.
public record Tally(long count, long checksum) {

    public static final Tally NONE = new Tally(0, 0);

    /// Both together.
    public Tally plus(Tally other) {
        return new Tally(count + other.count, checksum + other.checksum);
    }

    /// Contribution of one message to a checksum: the finaliser of SplitMix64, so that sums of
    /// different timestamps differ.
    static long scramble(long timestampMillis) {
        var z = timestampMillis + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
