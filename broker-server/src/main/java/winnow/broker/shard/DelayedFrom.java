package winnow.broker.shard;

/// The first delayed message of its topic that a subscription gets: those before it were sent
/// before the subscription was made (Jakarta Messaging 3.1, 7.9). Immutable.
///
/// @param queue number of the queue where they wait; a queue that is made later has a higher one
/// @param sequence of the message in that queue
public record DelayedFrom(int queue, long sequence) {
    /// All of them.
    public static final DelayedFrom ALL = new DelayedFrom(0, 0);

    /// None of them.
    public static final DelayedFrom NONE = new DelayedFrom(Integer.MAX_VALUE, Long.MAX_VALUE);

    /// True if a message is not before it.
    public boolean includes(int queueOfMessage, long sequenceOfMessage) {
        return queueOfMessage > queue || (queueOfMessage == queue && sequenceOfMessage >= sequence);
    }
}
