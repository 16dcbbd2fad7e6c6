package winnow.broker.session;

import org.jspecify.annotations.Nullable;
import winnow.broker.destination.DelayedTopics;
import winnow.broker.destination.Destination;
import winnow.broker.destination.LongMatch;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.Router;
import winnow.broker.destination.SlicedWork;
import winnow.broker.destination.Topic;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.broker.subscription.LiveBody;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;

/// Finds who wants a message in parts, by what comes before its body, in slices if that takes long:
/// for whom it is stored when it begins, and which live subscriptions get it when it has come
/// whole. Owned by the connection's event loop.
final class HeadMatching {
    private final SessionContext context;
    private final Output output;
    private final ReadingPauses pauses;

    /// The only one, because nothing is read meanwhile. Written by the loop.
    private volatile @Nullable Matching matching;

    private boolean closed;

    /// What becomes of a message, told on the loop unless the connection goes.
    interface Answer {
        /// It is found who wants it.
        ///
        /// @param head the message up to its body; borrowed
        /// @param recipients null if nobody wants it
        /// @param maxNameId largest number of a property name in it
        /// @throws RefusedException to refuse it nevertheless: then it is told that, too
        void onFound(MessageBlock head, @Nullable Recipients recipients, int maxNameId);

        /// It cannot be taken.
        void onRefused(RefusedException why);
    }

    HeadMatching(SessionContext context, Output output, ReadingPauses pauses) {
        this.context = context;
        this.output = output;
        this.pauses = pauses;
    }

    /// Begins to look for whom it is to be stored: for stored recipients, or until live
    /// subscriptions have it. Nothing more is read before the answer.
    ///
    /// @param head borrowed until this returns
    /// @throws RefusedException if it cannot be taken and that is found at once
    void find(Destination destination, MessageBlock head, Answer answer) {
        Router router = output.loop().router();
        if (!(destination instanceof Topic topic)) {
            router.check(head, context.destinations().propertyLimits());
            answer.onFound(head, Recipients.NONE, router.maxNameId());
            return;
        }
        if (DelayedTopics.waits(head)) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a message with a delivery delay for topic '"
                            + topic.name()
                            + "': expected at most "
                            + context.maxFrameBytes()
                            + " bytes (the broker's setting transport.max-frame), found one in"
                            + " parts. Send it without a delay, or to a queue");
        }
        begin(router.beginStored(topic, head, output), topic, head, answer);
    }

    /// Begins to give a message that has come whole to live subscriptions. Nothing more is read
    /// before the answer, whose recipients have no meaning.
    ///
    /// @param head as [Router#beginInParts]
    /// @param body with a reference of the caller's until the answer
    /// @throws RefusedException if it cannot be taken and that is found at once
    void deliver(Topic topic, MessageBlock head, LiveBody body, Answer answer) {
        Router router = output.loop().router();
        begin(router.beginInParts(topic, head, output, body), topic, head, answer);
    }

    private void begin(@Nullable LongMatch rest, Topic topic, MessageBlock head, Answer answer) {
        Router router = output.loop().router();
        if (closed) {
            // What was delivered meanwhile has closed the connection.
            if (rest != null) {
                rest.abandon();
            }
        } else if (rest != null) {
            pauses.begin(ReadingPauses.Reason.LONG_MATCH);
            Matching begun = new Matching(rest, answer);
            matching = begun;
            context.destinations().work(output.loop()).add(begun);
        } else {
            Recipients stored = router.recipients(topic);
            answer.onFound(head, with(stored, router.matchedLive()), router.maxNameId());
        }
    }

    /// Adds nobody to the recipients of a message that only live subscriptions get, so that it is
    /// stored for these.
    private static @Nullable Recipients with(@Nullable Recipients stored, boolean live) {
        return stored == null && live ? Recipients.NONE : stored;
    }

    /// A match that takes long.
    private final class Matching implements SlicedWork.Work {
        private final LongMatch match;
        private final Answer answer;

        Matching(LongMatch match, Answer answer) {
            this.match = match;
            this.answer = answer;
        }

        @Override
        public boolean step() {
            if (closed) {
                return false;
            }
            try {
                if (match.step()) {
                    return true;
                }
                matching = null;
                tell();
                pauses.end(ReadingPauses.Reason.LONG_MATCH);
            } catch (Throwable fault) {
                output.loop().faults().onFault(output, fault);
            }
            return false;
        }

        private void tell() {
            try {
                MessageHeaders found = match.headers();
                answer.onFound(
                        match.block(),
                        with(found == null ? null : found.recipients(), match.matchedLive()),
                        match.maxNameId());
            } catch (RefusedException e) {
                answer.onRefused(e);
            }
        }
    }

    /// Whether somebody is looked for. Any thread.
    boolean isMatching() {
        return matching != null;
    }

    /// The connection has gone.
    void close() {
        closed = true;
        Matching left = matching;
        if (left != null) {
            matching = null;
            left.match.abandon();
        }
    }
}
