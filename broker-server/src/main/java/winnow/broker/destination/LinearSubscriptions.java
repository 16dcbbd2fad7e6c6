package winnow.broker.destination;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Subscription;
import winnow.selector.Matcher;
import winnow.selector.Selector;
import winnow.selector.Slots;
import winnow.selector.index.MatchSink;
import winnow.wire.MessageBlock;

/// Subscriptions whose selectors are all evaluated, one after the other.
final class LinearSubscriptions implements SubscriptionSet {
    /// A few microseconds each, on the owner loop.
    private static final int SELECTORS_PER_TUNING = 64;

    private int nextTuned;
    private volatile View view = new View(new Candidate[0], new Slots());

    /// @param matcher null if it has no selector
    private record Candidate(Subscription subscription, @Nullable Matcher matcher) {}

    /// The subscriptions at one moment. Immutable.
    private static final class View {
        final Candidate[] candidates;
        final Slots slots;
        final SlotsByName slotsByName;

        /// How many have a selector.
        final int filters;

        View(Candidate[] candidates, Slots slots) {
            this(candidates, slots, new SlotsByName(slots));
        }

        View(Candidate[] candidates, Slots slots, SlotsByName slotsByName) {
            this.candidates = candidates;
            this.slots = slots;
            this.slotsByName = slotsByName;
            this.filters =
                    (int) Arrays.stream(candidates).filter(one -> one.matcher != null).count();
        }
    }

    @Override
    public MatchingMode mode() {
        return MatchingMode.LINEAR;
    }

    @Override
    public void add(Installed installed, @Nullable Selector selector) {
        View now = view;
        Matcher matcher = selector == null ? null : selector.bind(now.slots);
        int count = now.candidates.length;
        Candidate[] more = Arrays.copyOf(now.candidates, count + 1);
        more[count] = new Candidate(installed.subscription, matcher);
        view = new View(more, now.slots, now.slotsByName);
    }

    @Override
    public void remove(Installed installed) {
        View now = view;
        Candidate[] fewer =
                Arrays.stream(now.candidates)
                        .filter(one -> !one.subscription.equals(installed.subscription))
                        .toArray(Candidate[]::new);
        View next = new View(fewer, now.slots, now.slotsByName);
        // Slots never forget what a selector brought, so the last selector takes them along.
        view = next.filters == 0 ? new View(fewer, new Slots()) : next;
    }

    @Override
    public void tune() {
        Candidate[] candidates = view.candidates;
        for (int i = Math.min(SELECTORS_PER_TUNING, candidates.length); i > 0; i--) {
            nextTuned = nextTuned + 1 < candidates.length ? nextTuned + 1 : 0;
            Matcher matcher = candidates[nextTuned].matcher;
            if (matcher != null) {
                matcher.tune();
            }
        }
    }

    @Override
    public void match(MessageBlock block, MatchContext context, MatchSink<Subscription> sink) {
        View now = view;
        context.project(block, now.slots, now.slotsByName);
        context.evaluated(now.filters);
        for (Candidate candidate : now.candidates) {
            Matcher matcher = candidate.matcher;
            if (matcher == null || matcher.matches(context.values())) {
                sink.onMatch(candidate.subscription);
            }
        }
    }
}
