package winnow.broker.matching;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.subscription.Loop;

/// Work of a loop that may take long, done in small steps: as many as fit into a slice of 0.15
/// milliseconds, then the loop reads its sockets again. Works take turns, step by step, so that a
/// large one does not keep small ones waiting. What waits here is bounded by what it belongs to:
/// each subscription and each connection has one work at a time. Owned by its loop.
public final class SlicedWork {
    /// See [winnow.broker.routing.MatchTurn#READ_NANOS].
    public static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    private final Loop loop;
    private final LongSupplier nanoClock;
    private final ArrayDeque<Work> works = new ArrayDeque<>();
    private boolean scheduled;

    /// Time spent at once since the loop read its sockets, besides what a read brought.
    private long atOnceNanos;

    /// Something that is done step by step.
    @FunctionalInterface
    public interface Work {
        /// Does a little: about 50 µs, or a turn of a connection that was read.
        ///
        /// @return whether there is more to do
        boolean step();
    }

    public SlicedWork(Loop loop, LongSupplier nanoClock) {
        this.loop = loop;
        this.nanoClock = nanoClock;
    }

    /// Begins soon.
    public void add(Work work) {
        assert loop.inLoop();
        works.add(work);
        if (!scheduled) {
            scheduled = true;
            loop.executeAfterReading(this::runSlice);
        }
    }

    /// For how long something may be done at once, not in a later slice, in ns.
    public long leftAtOnce() {
        return SLICE_NANOS - atOnceNanos;
    }

    /// Something was done at once.
    public void onDoneAtOnce(long nanos) {
        if (atOnceNanos == 0 && nanos > 0) {
            loop.executeAfterReading(() -> atOnceNanos = 0);
        }
        atOnceNanos += Math.max(0, nanos);
    }

    /// Barrier that tells of a work that fails.
    public FaultBarrier faults() {
        return loop.faults();
    }

    private void runSlice() {
        long start = nanoClock.getAsLong();
        do {
            Work work = works.poll();
            if (work == null) {
                scheduled = false;
                return;
            }
            if (hasMore(work)) {
                works.add(work);
            }
        } while (nanoClock.getAsLong() - start < SLICE_NANOS);
        scheduled = !works.isEmpty();
        if (scheduled) {
            loop.executeAfterReading(this::runSlice);
        }
    }

    /// A work that fails is dropped; the others go on.
    private boolean hasMore(Work work) {
        try {
            return work.step();
        } catch (Throwable fault) {
            loop.faults().onFault(fault);
            return false;
        }
    }
}
