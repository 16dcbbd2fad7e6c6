package winnow.broker.metrics;

/// Contents of a storage, and events in it since it was opened, as of one moment.
///
/// @param failure why the log takes no more, empty if it does
public record StorageFigures(Content content, Flow flow, Log log, Disk disk, String failure) {
    /// Nothing so far.
    public static final StorageFigures NONE =
            new StorageFigures(
                    new Content(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                    new Flow(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                    new Log(0, 0, 0, 0, 0, 0, 0, 0, 0),
                    Disk.NONE,
                    "");

    /// Contents of the storage.
    ///
    /// @param paused queues whose consumers get nothing
    /// @param subscriptions durable and shared ones of topics
    /// @param messages that are not acknowledged, once for each subscription
    /// @param bytes of these
    /// @param unacknowledged messages that consumers have
    /// @param unattended messages of queues and subscriptions without a consumer, dead letters
    ///   excepted
    /// @param deadLetters messages in the dead-letter queue
    /// @param waitingSinceMillis since when the oldest message waits, dead letters excepted; 0 if
    ///   none does, or that is not known
    public record Content(
            int queues,
            int paused,
            int subscriptions,
            int consumers,
            long messages,
            long bytes,
            long unacknowledged,
            long unattended,
            long deadLetters,
            long waitingSinceMillis) {
        /// Time for which the oldest message has waited, 0 if none has.
        public long oldestAgeMillis(long nowMillis) {
            return age(waitingSinceMillis, nowMillis);
        }
    }

    /// @param sinceMillis 0 if there is no such time
    static long age(long sinceMillis, long nowMillis) {
        return sinceMillis == 0 ? 0 : Math.max(0, nowMillis - sinceMillis);
    }

    /// Counts of what has happened to messages.
    public record Flow(
            long appended,
            long appendedBytes,
            long delivered,
            long redelivered,
            long acknowledged,
            long failed,
            long expired,
            long buried,
            long overflowed,
            long refused,
            long purged,
            long moved,
            long deadLost) {}

    /// Activity of the log and of the memory before it.
    ///
    /// @param epoch how often the log was opened
    /// @param entries that were appended
    /// @param entryBytes of these
    /// @param commits entries that were waited for until they were on the disk
    /// @param commitNanos time that this took, summed over them
    /// @param stalledNanos time for which the log has completed nothing, though something waits
    /// @param quarantined messages that could not be used and were put aside
    /// @param windowBytes bytes of messages in memory
    /// @param windowLimitBytes limit of these
    public record Log(
            long epoch,
            long entries,
            long entryBytes,
            long commits,
            long commitNanos,
            long stalledNanos,
            long quarantined,
            long windowBytes,
            long windowLimitBytes) {}

    /// The disk of the log.
    ///
    /// @param freeBytes what is free on it when all that was accepted is in data files
    /// @param reserveBytes below that no more messages are stored
    /// @param low whether none are
    public record Disk(long freeBytes, long reserveBytes, boolean low) {
        /// There is no disk.
        public static final Disk NONE = new Disk(0, 0, false);
    }
}
