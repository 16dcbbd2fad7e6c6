package winnow.broker.destination;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Messages that are routed one after the other, in steps, so that neither many of them nor one
/// whose recipients take long to find keep the loop: those of a committed transaction, and delayed
/// ones. What waits here is bounded by what it belongs to. Owned by a loop.
public final class OrderedMatches implements SlicedWork.Work {
    private final SlicedWork work;
    private final Router router;
    private final LongSupplier nanoClock;
    private final ArrayDeque<Messages> waiting = new ArrayDeque<>();

    /// Of the first ones that wait, if the recipients of the message are not all found.
    private @Nullable LongMatch match;

    private boolean scheduled;

    /// Some messages in their order.
    public interface Messages {
        /// Begins to match the next message.
        ///
        /// @return what is left to do, null if nothing is
        /// @throws RefusedException if nobody gets it
        @Nullable LongMatch begin();

        /// The recipients of the message are found.
        ///
        /// @param match what was left to do, null if nothing was
        /// @return whether there is another message
        boolean end(@Nullable LongMatch match);

        /// A message could not be matched: the others are not, either.
        void onFailed(Throwable cause);
    }

    /// @param work of the loop
    /// @param router of the loop
    /// @param nanoClock see [System#nanoTime]
    public OrderedMatches(SlicedWork work, Router router, LongSupplier nanoClock) {
        this.work = work;
        this.router = router;
        this.nanoClock = nanoClock;
    }

    /// Routes messages after those before: at once, and what takes long a little later.
    ///
    /// @param messages one at least
    public void add(Messages messages) {
        router.beginTurn();
        addWithinRead(messages);
        router.beginTurn();
    }

    /// The same for messages of a read, whose turn goes on.
    public void addWithinRead(Messages messages) {
        waiting.add(messages);
        if (scheduled) {
            return;
        }
        scheduled = true;
        long start = nanoClock.getAsLong();
        if (hasMoreAfter(work.leftAtOnce())) {
            work.add(this);
        } else {
            scheduled = false;
        }
        work.onDoneAtOnce(nanoClock.getAsLong() - start);
    }

    @Override
    public boolean step() {
        router.beginTurn();
        scheduled = hasMoreAfter(MatchTurn.STEP_NANOS);
        router.beginTurn();
        return scheduled;
    }

    private boolean hasMoreAfter(long nanos) {
        if (nanos <= 0) {
            return true;
        }
        long start = nanoClock.getAsLong();
        while (!waiting.isEmpty() && advances()) {
            if (nanoClock.getAsLong() - start >= nanos) {
                break;
            }
        }
        return !waiting.isEmpty();
    }

    /// @return whether the next message may follow at once
    private boolean advances() {
        Messages first = waiting.element();
        boolean more = false;
        try {
            if (!isMatched(first)) {
                return false;
            }
            LongMatch ended = match;
            match = null;
            more = isFirst(first) && first.end(ended);
        } catch (Throwable fault) {
            drop();
            leave(first);
            work.faults().run(() -> first.onFailed(fault));
        }
        if (!more) {
            leave(first);
        }
        return true;
    }

    /// Begins to match the next message, or goes on with it.
    private boolean isMatched(Messages first) {
        LongMatch current = match;
        if (current != null) {
            return !current.step();
        }
        current = first.begin();
        if (current == null) {
            return true;
        }
        match = current;
        if (!isFirst(first)) {
            // What was delivered has closed the connection, which has abandoned them.
            drop();
            return true;
        }
        return false;
    }

    private void leave(Messages ended) {
        if (isFirst(ended)) {
            waiting.remove();
        }
    }

    @SuppressWarnings("ReferenceEquality") // Messages are equal by identity.
    private boolean isFirst(Messages messages) {
        return waiting.peek() == messages;
    }

    /// Nobody wants to know any more what becomes of the messages.
    public void abandon() {
        drop();
        waiting.clear();
    }

    private void drop() {
        LongMatch left = match;
        match = null;
        if (left != null) {
            left.abandon();
        }
    }
}
