package winnow.broker.destination;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Recipient;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.index.MatchPause;
import winnow.selector.index.MatchSink;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;
import winnow.wire.MessageBlock;

/// Subscriptions whose selectors are all evaluated, one after the other.
final class LinearSubscriptions implements SubscriptionSet {
    /// How many selectors are looked at ten times a second; a few microseconds each.
    private static final int SELECTORS_PER_TUNING = 64;

    private static final int SELECTORS_PER_STEP = 16;

    /// So many subscriptions are looked at before it is asked whether the loop's turn is over.
    private static final int LOOKED_AT = 128;

    /// The same for bytes of strings that selectors go through: 16 to 48 µs.
    private static final int SCANNED_BYTES = 16 * 1024;

    private int nextTuned;

    /// How many are to be looked at since tuning was started.
    private int untuned;

    private volatile View view = new View(new Recipient[0], new Matcher[0], new Slots());

    /// The subscriptions at one moment, and the matcher of each, null if it has no selector: two
    /// arrays, so that one that does not match costs no look at its subscription. Immutable.
    private static final class View {
        final Recipient[] subscriptions;
        final @Nullable Matcher[] matchers;
        final Slots slots;
        final SlotsByName slotsByName;

        /// How many have a selector.
        final int filters;

        View(Recipient[] subscriptions, @Nullable Matcher[] matchers, Slots slots) {
            this(subscriptions, matchers, slots, new SlotsByName(slots));
        }

        View(
                Recipient[] subscriptions,
                @Nullable Matcher[] matchers,
                Slots slots,
                SlotsByName slotsByName) {
            this.subscriptions = subscriptions;
            this.matchers = matchers;
            this.slots = slots;
            this.slotsByName = slotsByName;
            this.filters = (int) Arrays.stream(matchers).filter(Objects::nonNull).count();
        }
    }

    @Override
    public MatchingMode mode() {
        return MatchingMode.LINEAR;
    }

    @Override
    public Selector prepared(Selector selector) {
        return selector;
    }

    @Override
    public boolean tidy() {
        return false;
    }

    @Override
    public boolean add(Installed installed, @Nullable Selector selector) {
        View now = view;
        int count = now.subscriptions.length;
        Recipient[] subscriptions = Arrays.copyOf(now.subscriptions, count + 1);
        @Nullable Matcher[] matchers = Arrays.copyOf(now.matchers, count + 1);
        subscriptions[count] = installed.recipient;
        matchers[count] = selector == null ? null : selector.bind(now.slots);
        view = new View(subscriptions, matchers, now.slots, now.slotsByName);
        return false;
    }

    @Override
    public void remove(Installed installed) {
        View now = view;
        int at = Arrays.asList(now.subscriptions).indexOf(installed.recipient);
        if (at < 0) {
            return;
        }
        int count = now.subscriptions.length - 1;
        Recipient[] subscriptions = Arrays.copyOf(now.subscriptions, count);
        @Nullable Matcher[] matchers = Arrays.copyOf(now.matchers, count);
        System.arraycopy(now.subscriptions, at + 1, subscriptions, at, count - at);
        System.arraycopy(now.matchers, at + 1, matchers, at, count - at);
        view = new View(subscriptions, matchers, now.slots, now.slotsByName);
        Matcher leaving = now.matchers[at];
        if (leaving != null) {
            leaving.release();
        }
    }

    @Override
    public boolean startTuning() {
        untuned = Math.min(SELECTORS_PER_TUNING, view.matchers.length);
        return untuned > 0;
    }

    @Override
    public boolean tuneSome() {
        @Nullable Matcher[] matchers = view.matchers;
        untuned = Math.min(untuned, matchers.length);
        for (int i = Math.min(SELECTORS_PER_STEP, untuned); i > 0; i--) {
            nextTuned = nextTuned + 1 < matchers.length ? nextTuned + 1 : 0;
            Matcher matcher = matchers[nextTuned];
            if (matcher != null) {
                matcher.tune();
            }
        }
        untuned -= SELECTORS_PER_STEP;
        return untuned > 0;
    }

    @Override
    public boolean begin(MessageBlock block, MatchContext context, MatchSink<Recipient> sink) {
        View now = view;
        if (now.filters == 0) {
            context.check(block);
        } else {
            context.project(block, now.slots, now.slotsByName);
            context.evaluated(now.filters);
        }
        return proceed(now, 0, context, sink);
    }

    @Override
    public boolean resume(MatchContext context, MatchSink<Recipient> sink) {
        return !(context.takeRest() instanceof Rest rest)
                || proceed(rest.view, rest.from, context, sink);
    }

    /// What is left of a match that was stopped.
    private record Rest(View view, int from) {}

    private static boolean proceed(
            View now, int from, MatchContext context, MatchSink<Recipient> sink) {
        SlotValues values = context.values();
        Scratch scratch = values.scratch();
        long scannedBefore = scratch.scannedBytes;
        long look = scannedBefore + SCANNED_BYTES;
        for (int i = from; i < now.matchers.length; i++) {
            long scanned = scratch.scannedBytes;
            if (i > from && (i % LOOKED_AT == 0 || scanned >= look)) {
                look = scanned + SCANNED_BYTES;
                if (context.turnIsOver(i + (scanned - scannedBefore) / MatchPause.BYTES_PER_UNIT)) {
                    context.leave(new Rest(now, i));
                    return false;
                }
            }
            Matcher matcher = now.matchers[i];
            if (matcher == null || matcher.matches(values)) {
                sink.onMatch(now.subscriptions[i]);
            }
        }
        return true;
    }
}
