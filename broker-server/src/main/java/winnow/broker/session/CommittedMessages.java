package winnow.broker.session;

import java.util.List;
import winnow.broker.destination.Topic;
import winnow.broker.routing.Audience;
import winnow.broker.routing.MatchQueue;
import winnow.broker.routing.MatchResult;
import winnow.broker.subscription.LiveBody;
import winnow.wire.MessageBlock;

/// Gives what a connection has committed to live subscriptions, one transaction after the other,
/// whether the connection is still there or not. Owned by the connection's event loop.
final class CommittedMessages {
    private final Output output;
    private final MatchQueue delivering;
    private final Runnable touched;
    private final MessageBlock block = new MessageBlock();

    /// Committed transactions that live subscriptions have not all of.
    private int undelivered;

    /// @param delivering used for nothing else
    /// @param touched called when something was routed outside of a read
    CommittedMessages(Output output, MatchQueue delivering, Runnable touched) {
        this.output = output;
        this.delivering = delivering;
        this.touched = touched;
    }

    /// Gives what was committed to live subscriptions, after what was committed before.
    ///
    /// @param then run when they have it
    void deliver(List<TransactedEffect> committed, Runnable then) {
        List<TransactedEffect> live =
                committed.stream().filter(effect -> effect.live() != null).toList();
        if (live.isEmpty() && undelivered == 0) {
            then.run();
            return;
        }
        undelivered++;
        delivering.add(new Live(live, then));
    }

    /// Messages of one transaction that live subscriptions get.
    private final class Live implements MatchQueue.Series {
        private final List<TransactedEffect> messages;
        private final Runnable then;
        private int next;
        private boolean finished;

        Live(List<TransactedEffect> messages, Runnable then) {
            this.messages = messages;
            this.then = then;
        }

        @Override
        public boolean hasNext() {
            return !finished;
        }

        @Override
        public void next() {
            Topic topic = next == messages.size() ? null : messages.get(next).live();
            if (topic == null) {
                finish();
                return;
            }
            TransactedEffect message = messages.get(next);
            block.parseFields(message.block(), 0, message.block().length);
            LiveBody body = message.body();
            if (body == null) {
                delivering.match(topic, block, output, Audience.LIVE_AND_STORED, this);
            } else {
                delivering.matchInParts(topic, block, output, body, this);
            }
        }

        @Override
        public void onMatched(MatchResult result) {
            output.loop().router().deliver();
            next++;
            if (next == messages.size()) {
                finish();
            }
        }

        @Override
        public void onFault(Throwable fault) {
            output.loop().faults().onFault(output, fault);
            finish();
        }

        private void finish() {
            if (!finished) {
                finished = true;
                undelivered--;
                touched.run();
                output.loop().faults().run(output, then);
            }
        }
    }
}
