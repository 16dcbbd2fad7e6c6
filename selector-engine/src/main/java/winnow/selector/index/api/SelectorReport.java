package winnow.selector.index.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Report on how an index finds and tests one selector, and on what it saw of it. For people;
/// immutable.
///
/// Rates and times come from sampled messages, and are null while there are none.
///
/// @param selector in the form that identical selectors share
/// @param subscriptions how many subscribers share it
/// @param keys a message that matches has one of these; none if all or no messages match
/// @param rejected what could have been keys instead
/// @param formula what is tested for a message that has a key, unless that says it all
/// @param sampling whether the selector is among those that are observed
/// @param observed what sampled messages showed of it
public record SelectorReport(
        String selector,
        int subscriptions,
        Access access,
        List<Key> keys,
        List<Rejected> rejected,
        Component formula,
        Sampling sampling,
        Observed observed) {

    /// Way in which messages get to a selector.
    public enum Access {
        /// Every message matches.
        EVERYTHING,
        /// No message can match.
        NOTHING,
        /// A message that has a key matches.
        EXACT,
        /// A message that has a key is tested.
        RESIDUAL,
        /// Some key is tested for every message that has the name.
        SCANNED
    }

    /// @param text the condition on the message
    /// @param hitRate part of the sampled messages for which it is true, 0 to 1
    /// @param sampledMessages what the hit rate was counted over: the messages of [Observed] if the
    ///   selector has no other key and each message that has it led to the selector, otherwise
    ///   messages of its own; 0 if nothing was counted
    /// @param selectors how many distinct selectors it leads to
    /// @param narrowedBy names whose values tell, by bitmaps, for which messages the selector is
    ///   not looked at although they have the key; none where the key leads to few selectors
    public record Key(
            KeyKind kind,
            String text,
            @Nullable Double hitRate,
            long sampledMessages,
            int selectors,
            List<String> narrowedBy) {

        public Key {
            narrowedBy = List.copyOf(narrowedBy);
        }
    }

    /// An operand of an AND whose keys are not used.
    ///
    /// @param hitRate part of the sampled messages for which it is true, 0 to 1
    /// @param sampledMessages what the hit rate was counted over, not the messages of [Observed]; 0
    ///   if nothing was counted
    public record Rejected(
            String text, @Nullable Double hitRate, long sampledMessages, String reason) {}

    /// The selector or a part of it.
    ///
    /// @param passRate part of the tested messages for which it is true, 0 to 1, whatever the other
    ///   parts are
    /// @param nanos mean duration of its test
    /// @param operands of an AND or OR, in the order in which they are tested now
    public record Component(
            String text,
            @Nullable Double passRate,
            @Nullable Double nanos,
            List<Component> operands) {

        public Component {
            operands = List.copyOf(operands);
        }
    }

    /// Tells whether a selector is observed.
    ///
    /// @param messages sampled messages of the index, since its first selector came
    /// @param observed false while so many other selectors are observed that there is no room
    /// @param maxObserved how many selectors of an index are observed at most
    public record Sampling(long messages, boolean observed, int maxObserved) {}

    /// Estimates from sampled messages, of which older ones weigh less; all 0 before a message was
    /// sampled, and while the selector is not observed, see [Sampling].
    ///
    /// @param sampledMessages what the next three are counts of
    /// @param candidates messages that a key led from
    /// @param evaluations those of them that were tested
    /// @param matches messages that matched
    /// @param nanosPerMessage what the selector costs per message of the topic, mean of all
    ///   messages
    /// @param measured whether tests of the selector were timed; otherwise its cost is assumed by
    ///   its form, as always for one that is not tested
    public record Observed(
            long sampledMessages,
            long candidates,
            long evaluations,
            long matches,
            double nanosPerMessage,
            boolean measured) {}

    public SelectorReport {
        keys = List.copyOf(keys);
        rejected = List.copyOf(rejected);
    }
}
