package winnow.broker.session;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.LongMatch;
import winnow.broker.destination.OrderedMatches;
import winnow.broker.destination.Router;
import winnow.broker.destination.Topic;
import winnow.broker.subscription.LiveBody;
import winnow.wire.MessageBlock;

/// Gives what a connection has committed to live subscriptions, one transaction after the other,
/// whether the connection is still there or not. Owned by the connection's event loop.
final class CommittedMessages {
    private final Output output;
    private final OrderedMatches delivering;
    private final Runnable touched;
    private final MessageBlock block = new MessageBlock();

    /// Committed transactions that live subscriptions have not all of.
    private int undelivered;

    /// @param delivering used for nothing else
    /// @param touched called when something was routed outside of a read
    CommittedMessages(Output output, OrderedMatches delivering, Runnable touched) {
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
    private final class Live implements OrderedMatches.Messages {
        private final List<TransactedEffect> messages;
        private final Runnable then;
        private int next;
        private boolean finished;

        Live(List<TransactedEffect> messages, Runnable then) {
            this.messages = messages;
            this.then = then;
        }

        @Override
        public @Nullable LongMatch begin() {
            if (next == messages.size()) {
                return null;
            }
            TransactedEffect message = messages.get(next);
            Topic topic = message.live();
            if (topic == null) {
                return null;
            }
            block.parseFields(message.block(), 0, message.block().length);
            LiveBody body = message.body();
            Router router = output.loop().router();
            return body == null
                    ? router.begin(topic, block, output)
                    : router.beginInParts(topic, block, output, body);
        }

        @Override
        public boolean end(@Nullable LongMatch match) {
            output.loop().router().deliver();
            next++;
            if (next < messages.size()) {
                return true;
            }
            finish();
            return false;
        }

        @Override
        public void onFailed(Throwable cause) {
            output.loop().faults().onFault(output, cause);
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
