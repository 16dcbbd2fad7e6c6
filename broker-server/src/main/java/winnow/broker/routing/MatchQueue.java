package winnow.broker.routing;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.fault.FaultOwner;
import winnow.broker.matching.SlicedWork;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Publisher;
import winnow.wire.MessageBlock;

/// Matches messages one after the other: at once, or in slices where that takes long, so that
/// neither many of them nor one whose recipients take long to find keep the loop. A connection has
/// one for what it publishes, and is not read while anything is left in it; so the order per
/// producer stays. Its series are bounded by what they belong to. Owned by a loop.
public final class MatchQueue implements SlicedWork.Work {
    private final SlicedWork work;
    private final Router router;
    private final FaultOwner owner;
    private final Reading reading;
    private final ArrayDeque<Series> waiting = new ArrayDeque<>();

    /// Left of the message that was begun last, null if nothing is.
    private @Nullable Begun begun;

    /// True if a slice follows, or is being done.
    private boolean scheduled;

    private boolean closed;

    /// True if the producer is not read. Written by the loop.
    private volatile boolean busy;

    /// Some messages in their order. A fault of one ends all.
    public interface Series extends MatchDone {
        /// True if there is another message; called when the outcome of the one before was told.
        boolean hasNext();

        /// Matches the next message.
        void next();
    }

    /// Reading of the producer, which pauses while a match goes on.
    public interface Reading {
        /// For messages whose producer does not wait.
        Reading NONE =
                new Reading() {
                    @Override
                    public void pause() {}

                    @Override
                    public void goOn() {}
                };

        /// Nothing more is to be read.
        void pause();

        /// Reads on.
        void goOn();
    }

    private record Begun(SlicedMatch match, MatchDone done) {}

    /// @param work of the loop
    /// @param router of the loop
    /// @param owner is told of faults that nobody else takes
    public MatchQueue(SlicedWork work, Router router, FaultOwner owner, Reading reading) {
        this.work = work;
        this.router = router;
        this.owner = owner;
        this.reading = reading;
    }

    /// True if a match goes on, or a series; nothing is to be matched meanwhile. Any thread.
    public boolean isBusy() {
        return busy;
    }

    /// Matches a message at once, or begins to match it in slices.
    ///
    /// @param block see [Router#begin]
    /// @param producer null if the message was accepted and stored before
    /// @param done told the outcome exactly once if this returns none; never if the queue is closed
    ///   meanwhile
    /// @return the outcome, null if it comes later, or the queue was closed meanwhile
    /// @throws winnow.broker.matching.RefusedException and others as [Router#begin]; then `done` is
    ///   not told
    public @Nullable MatchResult begin(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            MatchDone done) {
        return begin(topic, block, producer, audience, null, done);
    }

    private @Nullable MatchResult begin(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            @Nullable LiveBody body,
            MatchDone done) {
        assert begun == null;
        SlicedMatch rest = router.begin(topic, block, producer, audience, body);
        // What was delivered meanwhile may have closed the producer's connection.
        if (rest == null) {
            return closed ? null : router.result();
        }
        if (closed) {
            rest.abandon();
        } else {
            begun = new Begun(rest, done);
            schedule();
        }
        return null;
    }

    /// Matches a message, now or in slices.
    ///
    /// @param block see [Router#begin]
    /// @param producer null if the message was accepted and stored before
    /// @param done told the outcome exactly once, perhaps before this returns; never if the queue
    ///   is closed meanwhile
    public void match(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            MatchDone done) {
        match(topic, block, producer, audience, null, done);
    }

    /// The same for a message in parts, which live subscriptions get.
    ///
    /// @param head its block up to the body, at the beginning of an array that is never changed
    /// @param body with a reference of the caller's until `done` is told
    public void matchInParts(
            Topic topic,
            MessageBlock head,
            @Nullable Publisher producer,
            LiveBody body,
            MatchDone done) {
        // What is delivered before may close the producer's connection, which lets the body go.
        body.retain();
        try {
            match(topic, head, producer, Audience.LIVE_AND_STORED, body, done);
        } finally {
            body.release();
        }
    }

    private void match(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            @Nullable LiveBody body,
            MatchDone done) {
        MatchResult result;
        try {
            result = begin(topic, block, producer, audience, body, done);
        } catch (RuntimeException | Error fault) {
            done.onFault(fault);
            return;
        }
        if (result != null) {
            tell(done);
        }
    }

    private void tell(MatchDone done) {
        try {
            done.onMatched(router.result());
        } catch (RuntimeException | Error fault) {
            done.onFault(fault);
        }
    }

    /// Matches a series after those before: at once, and what takes long a little later.
    public void add(Series series) {
        router.beginTurn();
        addWithinRead(series);
        router.beginTurn();
    }

    /// The same for messages of a read, whose turn goes on.
    public void addWithinRead(Series series) {
        assert !closed;
        waiting.add(series);
        if (scheduled) {
            return;
        }
        scheduled = true;
        long start = System.nanoTime();
        run(work.leftAtOnce());
        scheduled = false;
        if (hasMore()) {
            schedule();
        }
        work.onDoneAtOnce(System.nanoTime() - start);
    }

    /// Goes on in a slice, which the producer waits for.
    private void schedule() {
        if (!busy) {
            busy = true;
            reading.pause();
        }
        if (!scheduled) {
            scheduled = true;
            work.add(this);
        }
    }

    @Override
    public boolean step() {
        router.beginTurn();
        run(MatchTurn.STEP_NANOS);
        router.beginTurn();
        boolean more = hasMore();
        scheduled = more;
        if (!more && busy) {
            busy = false;
            work.faults().run(owner, reading::goOn);
        }
        return more;
    }

    private boolean hasMore() {
        return begun != null || !waiting.isEmpty();
    }

    private void run(long nanos) {
        long start = System.nanoTime();
        boolean more = nanos > 0;
        while (more && hasMore()) {
            more = advances() && System.nanoTime() - start < nanos;
            leaveIfEnded();
        }
    }

    /// @return whether the next message may follow at once
    private boolean advances() {
        Begun current = begun;
        if (current != null) {
            return goesOn(current);
        }
        Series first = waiting.element();
        try {
            first.next();
        } catch (Throwable fault) {
            work.faults().run(owner, () -> first.onFault(fault));
        }
        return begun == null;
    }

    /// @return whether it has ended
    private boolean goesOn(Begun current) {
        try {
            if (current.match.step()) {
                return false;
            }
        } catch (Throwable fault) {
            drop();
            work.faults().run(owner, () -> current.done.onFault(fault));
            return true;
        }
        if (begun != null) {
            begun = null;
            work.faults().run(owner, () -> tell(current.done));
            router.result().clear();
        }
        return true;
    }

    private void leaveIfEnded() {
        Series first = waiting.peek();
        if (begun == null && first != null && !first.hasNext()) {
            waiting.remove();
        }
    }

    private void drop() {
        Begun left = begun;
        begun = null;
        if (left != null) {
            left.match.abandon();
        }
    }

    /// The producer has gone: nobody wants to know any more what becomes of its messages.
    public void close() {
        closed = true;
        busy = false;
        drop();
        waiting.clear();
    }
}
