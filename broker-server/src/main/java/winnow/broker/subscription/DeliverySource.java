package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;

/// The deliveries that wait for one subscription, in order ([BacklogRuns]). Owned by the
/// subscription's event loop.
interface DeliverySource {
    boolean isEmpty();

    /// Messages that wait.
    int messages();

    /// Bytes of their [winnow.wire.FrameType#DELIVERY] frames.
    long bytes();

    /// The oldest message; there is one. Valid until this source or another of the same loop is
    /// called.
    ///
    /// @return null if it is not in memory
    @Nullable WaitingMessage first();

    /// Has the oldest message read, which is not in memory, and what comes next ahead.
    ///
    /// @param subscription told by [Subscription#onFetched] when it is there
    void fetchFirst(Subscription subscription);

    /// Takes the oldest message away; there is one, and it is in memory.
    void removeFirst();

    /// Takes the oldest message away that is not in memory, and those that were kept behind it:
    /// those of a segment at most. Reads nothing, and takes them for as long as those are on
    /// average that left with them.
    void dropRun();

    /// Takes all away, or a part of it where that takes long. Reads nothing.
    ///
    /// @return whether all is away
    boolean clearSome();
}
