package winnow.broker.routing;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.wire.MessageBlock;

/// Memory of the [SlicedMatch]es of one loop: scratch space, and copies of their messages. Owned by
/// the loop.
final class SuspendedMatches {
    /// Matches that are stopped at the same time, but for the first of each topic: each needs up to
    /// 8 bytes per selector of the largest topic that its scratch space was used for.
    private static final int MAX_SUSPENDED = 4;

    /// The same with the first of topics.
    private static final int MAX_WITH_FIRST = 16;

    private final Supplier<Handing> newHanding;
    private final ArrayDeque<Handing> spares = new ArrayDeque<>();

    /// Matches that were stopped and have not ended.
    private int suspended;

    /// Matches that begin when one of these has ended.
    private int waiting;

    /// @param newHanding makes scratch space
    SuspendedMatches(Supplier<Handing> newHanding) {
        this.newHanding = newHanding;
    }

    /// True if a match has to wait for those that were stopped or wait already.
    boolean mustWait() {
        return suspended + waiting >= MAX_SUSPENDED;
    }

    /// True if there is no scratch space for one more, not even for the first of its topic.
    boolean isFull() {
        return suspended >= MAX_WITH_FIRST;
    }

    /// A message in an array that is never changed: a copy that takes little more than its
    /// connection does, or the array where a larger one is already, charged to whom it belongs to.
    static MessageBlock keep(MessageBlock block) {
        MessageBlock kept = new MessageBlock();
        if (block.length() > SharedMessage.MAX_BORROWED_BYTES) {
            kept.parseFields(block.array(), block.start(), block.end());
        } else {
            byte[] copy = Arrays.copyOfRange(block.array(), block.start(), block.end());
            kept.parseFields(copy, 0, copy.length);
        }
        kept.expiresEarlierMillis(block.expiresEarlierMillis());
        return kept;
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
        if (suspended >= MAX_SUSPENDED) {
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
        if (spares.size() < MAX_SUSPENDED) {
            spares.add(used);
        }
    }
}
