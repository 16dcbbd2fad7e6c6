package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Recipient;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.MatchSink;
import winnow.wire.MessageBlock;

/// The subscriptions of a topic, and how a message finds those whose selectors it matches. Changed
/// by the topic's owner loop alone, read by all loops.
public sealed interface SubscriptionSet permits IndexedSubscriptions, LinearSubscriptions {
    MatchingMode mode();

    /// With the subscriptions that are found by an index. Owner only, but for matching.
    SelectorIndex<Recipient> index();

    /// Goes on adding a subscription; when that is done messages routed from then on reach it.
    /// Owner only.
    ///
    /// @param selector null if it has none; as [#prepared]
    /// @return whether there is more to do
    boolean add(Installed installed, @Nullable Selector selector);

    /// Messages routed from now on do not reach it. Owner only.
    void remove(Installed installed);

    /// Forgets some of what removed subscriptions needed. Owner only.
    ///
    /// @return whether there is more to forget
    boolean tidy();

    /// Prepares a selector to be added, which takes a while for a large one. Any thread.
    Selector prepared(Selector selector);

    /// Begins what keeps matching fast, by what was observed. To be called ten times a second.
    /// Owner only.
    ///
    /// @return whether there is anything to do in [#tuneSome]
    boolean startTuning();

    /// Does some of it, about 0.1 ms. Owner only.
    ///
    /// @return whether there is more to do
    boolean tuneSome();

    /// Calls the sink once for each subscription whose selector is TRUE for the message, as long as
    /// the turn of the loop permits. Any loop.
    ///
    /// @param block borrowed; its properties are not checked yet
    /// @throws RefusedException if it is above the limits of the context; then no subscription got
    ///   it
    /// @throws winnow.wire.WireException if they are malformed; then neither
    /// @return whether it has ended; if not, the context belongs to this match until it has
    boolean begin(MessageBlock block, MatchContext context, MatchSink<Recipient> sink);

    /// Goes on with a match that was stopped. Any loop.
    ///
    /// @return whether it has ended
    boolean resume(MatchContext context, MatchSink<Recipient> sink);
}
