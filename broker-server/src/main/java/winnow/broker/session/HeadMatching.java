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
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;

/// Finds who wants a message in parts, by what comes before its body, in slices if that takes long.
/// Owned by the connection's event loop.
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

    /// Begins to look; nothing more is read before the answer.
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
        LongMatch rest = router.beginStored(topic, head, output);
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
            requireStored(router.matchedLive(), head);
            answer.onFound(head, router.recipients(topic), router.maxNameId());
        }
    }

    /// @throws RefusedException if live subscriptions of a topic would get it, or it has to wait
    private void requireStored(boolean matchedLive, MessageBlock head) {
        if (matchedLive || DelayedTopics.waits(head)) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the message is too long for a topic with live subscribers or with a delay:"
                            + " these take at most "
                            + context.maxFrameBytes()
                            + " bytes, the broker's setting transport.max-frame");
        }
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
                tell();
                matching = null;
                pauses.end(ReadingPauses.Reason.LONG_MATCH);
            } catch (Throwable fault) {
                output.loop().faults().onFault(output, fault);
            }
            return false;
        }

        private void tell() {
            try {
                requireStored(match.matchedLive(), match.block());
                MessageHeaders found = match.headers();
                answer.onFound(
                        match.block(),
                        found == null ? null : found.recipients(),
                        found == null ? 0 : found.maxNameId());
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
