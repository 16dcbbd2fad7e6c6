package winnow.broker.shard;

/// Heap that objects take which are kept for each message, delivery, recipient, timer, name or
/// part, in bytes: the object, its arrays and its place in an index. Budgets charge these before
/// the objects are kept. Measured with compact object headers by `HeapCostTest`; without these they
/// are up to a fifth too low.
public final class HeapCost {
    /// A message in memory: the object, its headers and what the links to its neighbours take,
    /// without its block, its recipients and its place in a [SequenceMap].
    static final int MESSAGE = 104;

    /// A page of a [SequenceMap], for up to 32 neighbours.
    static final int PAGE = 224;

    /// The recent pages of a [SequenceMap], from its first value on.
    static final int RECENT_PAGES = 272;

    /// A message on its way into the shard and its answer on the way back: the object, its headers,
    /// and what three queues have of it. Without its block and its recipients.
    public static final int PUBLISH = 256;

    /// A message of a transaction until it is committed: what the session and the shard keep of it,
    /// and its row for the log. Without its block and its recipients.
    public static final int TRANSACTED = 320;

    /// A delivery that has not been acknowledged: what its consumer and its session keep of it, and
    /// its places in their maps.
    public static final int DELIVERY = 144;

    /// A group that is held: the object, its set of messages if that has no gaps, and its places in
    /// a map and a queue.
    static final int HELD_GROUP = 176;

    /// An identifier by which a message or a transaction is recognised, without its characters.
    static final int IDENTIFIER = 104;

    /// An instance of a client: the object, its set of numbers and its places in two maps, without
    /// the array of the numbers.
    static final int INSTANCE = 224;

    /// A set of messages that are due at the same time, without gaps: the set and its places in two
    /// maps.
    static final int TIMER = 232;

    /// Bytes added where such a set has gaps.
    static final int BITMAP = 288;

    /// Bytes added for each 65,536 sequences of which such a set has some, without two bytes for
    /// each of them.
    static final int CONTAINER = 104;

    /// A set of messages of one priority that wait, without its bitmap.
    static final int LEVEL = 72;

    /// A body in parts: the object, its places in two maps, and their keys.
    static final int LARGE_BODY = 144;

    /// A body in parts that is kept for live subscriptions: what the storage and its connection
    /// know of it.
    static final int LIVE_BODY = 512;

    private static final int ARRAY_HEADER = 12;
    private static final int ALIGNMENT = 8;

    private HeapCost() {}

    /// The characters of a string: a byte each, if all are Latin-1.
    static long characters(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return array(2L * text.length());
            }
        }
        return array(text.length());
    }

    /// An array.
    ///
    /// @param bytes of its elements
    public static long array(long bytes) {
        return Math.ceilDiv(ARRAY_HEADER + bytes, ALIGNMENT) * ALIGNMENT;
    }
}
