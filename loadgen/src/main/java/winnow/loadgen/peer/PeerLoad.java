package winnow.loadgen.peer;

/// Messages of one sender to several receivers, all of whom acknowledge each. Immutable.
///
/// @param way how messages reach the receivers
/// @param receivers each with a connection
/// @param bodyBytes size of each body
/// @param burst messages to each receiver that are sent one after the other without waiting
/// @param persistent their delivery mode
/// @param warmup rounds that do not count
/// @param rounds that count: a round ends with the last acknowledgement
public record PeerLoad(
        Way way,
        int receivers,
        int bodyBytes,
        int burst,
        boolean persistent,
        int warmup,
        int rounds) {

    private static final int MAX_RECEIVERS = 10_000;
    private static final int MAX_BODY_BYTES = 64 << 20;
    private static final int MAX_MESSAGES = 1_000_000;

    /// Way of a message to the receivers.
    public enum Way {
        /// One message to a topic, of which each receiver gets a copy.
        TOPIC("topic"),
        /// A message to a queue of each receiver, which keeps it until it is acknowledged.
        QUEUES("queues");

        private final String label;

        Way(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    public PeerLoad {
        check("receivers", receivers, 1, MAX_RECEIVERS);
        check("bytes of a body", bodyBytes, 0, MAX_BODY_BYTES);
        check("messages of a burst", burst, 1, MAX_MESSAGES);
        check("rounds for warming up", warmup, 0, MAX_MESSAGES);
        check("rounds", rounds, 1, MAX_MESSAGES);
        if ((long) burst * receivers > MAX_MESSAGES) {
            throw new IllegalArgumentException(
                    "expected at most %,d messages of a burst to all receivers, found %,d"
                            .formatted(MAX_MESSAGES, (long) burst * receivers));
        }
    }

    private static void check(String what, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(
                    "expected %,d to %,d %s, found %,d".formatted(least, most, what, found));
        }
    }

    /// Acknowledgements of a round.
    int acknowledgements() {
        return burst * receivers;
    }
}
