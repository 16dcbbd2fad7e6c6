package winnow.broker.destination;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.wire.FrameSplitter;
import winnow.wire.MessageBlock;

/// What the [LongMatch]es of one loop take: scratch space, and copies of their messages. Owned by
/// the loop.
final class SuspendedMatches {
    /// Matches that are stopped at the same time: each needs 8 bytes per selector of its topic.
    private static final int MAX_SUSPENDED = 4;

    /// A message up to this size takes little more than its connection does, so it is not counted.
    private static final int UNCOUNTED_BYTES = FrameSplitter.SCRATCH_BYTES;

    private final Supplier<Handing> newHanding;
    private final long maxKeptBytes;
    private final ArrayDeque<Handing> spares = new ArrayDeque<>();

    /// Matches that were stopped and have not ended.
    private int suspended;

    /// Matches that begin when one of these has ended.
    private int waiting;

    /// What the messages of both take that are counted.
    private long keptBytes;

    /// @param newHanding makes scratch space
    /// @param maxKeptBytes what messages of more than 64 KiB may take
    SuspendedMatches(Supplier<Handing> newHanding, long maxKeptBytes) {
        this.newHanding = newHanding;
        this.maxKeptBytes = maxKeptBytes;
    }

    /// Whether there is scratch space for one more.
    boolean hasRoom() {
        return suspended < MAX_SUSPENDED;
    }

    /// Whether a match has to wait for those that were stopped or wait already.
    boolean mustWait() {
        return suspended + waiting >= MAX_SUSPENDED;
    }

    /// Whether memory is left to keep a message.
    boolean mayKeep(MessageBlock block) {
        return keptBytes + countedBytes(block) <= maxKeptBytes;
    }

    private static int countedBytes(MessageBlock block) {
        return block.length() <= UNCOUNTED_BYTES ? 0 : block.length();
    }

    /// A copy of a message, counted until [#forget].
    MessageBlock keep(MessageBlock block) {
        byte[] copy = Arrays.copyOfRange(block.array(), block.start(), block.end());
        keptBytes += countedBytes(block);
        MessageBlock kept = new MessageBlock();
        kept.parseFields(copy, 0, copy.length);
        return kept;
    }

    /// A message is not kept any more.
    void forget(MessageBlock kept) {
        keptBytes -= countedBytes(kept);
    }

    /// A match is stopped.
    ///
    /// @return scratch space for the next one
    Handing suspend() {
        suspended++;
        Handing spare = spares.poll();
        return spare == null ? newHanding.get() : spare;
    }

    /// A match has to wait for scratch space.
    void startWaiting() {
        waiting++;
    }

    /// A match that waited for scratch space is not needed any more.
    void stopWaiting() {
        waiting--;
    }

    /// Scratch space for a match that waited for it, null if there is none yet.
    @Nullable Handing takeSpare() {
        if (!hasRoom()) {
            return null;
        }
        waiting--;
        return suspend();
    }

    /// A match has ended.
    void giveBack(Handing used) {
        assert !spares.contains(used);
        suspended--;
        used.clear();
        spares.add(used);
    }
}
