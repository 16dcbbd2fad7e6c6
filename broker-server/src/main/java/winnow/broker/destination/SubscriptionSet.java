package winnow.broker.destination;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Subscription;
import winnow.selector.Selector;
import winnow.selector.index.MatchSink;
import winnow.wire.MessageBlock;

/// The subscriptions of a topic, and how a message finds those whose selectors it matches. Changed
/// by the topic's owner loop alone, read by all loops.
sealed interface SubscriptionSet permits IndexedSubscriptions, LinearSubscriptions {
    MatchingMode mode();

    /// Messages routed from now on reach it. Owner only.
    ///
    /// @param selector null if it has none
    void add(Installed installed, @Nullable Selector selector);

    /// Owner only.
    void remove(Installed installed);

    /// Does some of what keeps matching fast, by what was observed. To be called ten times a
    /// second. Owner only.
    void tune();

    /// Calls the sink once for each subscription whose selector is TRUE for the message. Any loop.
    ///
    /// @param block borrowed; its properties are not checked yet
    /// @throws RefusedException if it has a string above the limit; then no subscription got it
    /// @throws winnow.wire.WireException if they are malformed; then neither
    void match(MessageBlock block, MatchContext context, MatchSink<Subscription> sink);
}
