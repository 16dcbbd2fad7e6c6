package winnow.broker.matching;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Recipient;
import winnow.selector.check.ScanBudget;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.MatchPause;
import winnow.selector.index.api.MatchSink;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;
import winnow.wire.MessageBlock;

/// Subscriptions whose selectors are evaluated, one after the other, but for the few whose
/// evaluation may take long: they are found by an index, which stops between two patterns.
public final class LinearSubscriptions implements SubscriptionSet {
    /// Number of selectors that are looked at ten times a second; a few microseconds each.
    private static final int SELECTORS_PER_TUNING = 64;

    private static final int SELECTORS_PER_STEP = 16;

    /// So many subscriptions are looked at before it is asked whether the loop's turn is over.
    private static final int LOOKED_AT = 128;

    /// The same for bytes of strings that selectors go through: 16 to 48 µs.
    private static final int SCANNED_BYTES = 16 * 1024;

    /// Most passes through a string by a selector that is evaluated in one go: 64 µs each time
    /// where it has 32 KiB.
    private static final int MAX_PASSES = 4;

    /// The selectors that may take long. Its slots are those of the matchers, too.
    private final IndexedSubscriptions indexed = new IndexedSubscriptions();

    private boolean tuningIndexed;
    private int nextTuned;

    /// Number of selectors that are to be looked at since tuning was started.
    private int untuned;

    private volatile View view = new View(new Recipient[0], new Matcher[0], 0);

    /// The subscriptions at one moment, and the matcher of each, null if it has no selector: two
    /// arrays, so that one that does not match costs no look at its subscription; and how many more
    /// are in the index. Immutable.
    private static final class View {
        final Recipient[] subscriptions;
        final @Nullable Matcher[] matchers;
        final int indexed;

        /// Number of subscriptions that have a matcher.
        final int filters;

        View(Recipient[] subscriptions, @Nullable Matcher[] matchers, int indexed) {
            this.subscriptions = subscriptions;
            this.matchers = matchers;
            this.indexed = indexed;
            this.filters = (int) Arrays.stream(matchers).filter(Objects::nonNull).count();
        }
    }

    @Override
    public MatchingMode mode() {
        return MatchingMode.LINEAR;
    }

    @Override
    public SelectorIndex<Recipient> index() {
        return indexed.index();
    }

    /// Canonical if it is for the index.
    @Override
    public Selector prepared(Selector selector) {
        return ScanBudget.passes(selector.expression()) > MAX_PASSES
                ? selector.canonical()
                : selector;
    }

    @Override
    public boolean tidy() {
        return indexed.tidy();
    }

    @Override
    public boolean add(Installed installed, @Nullable Selector selector) {
        View now = view;
        if (selector != null && selector.isCanonical()) {
            if (indexed.add(installed, selector)) {
                return true;
            }
            view = new View(now.subscriptions, now.matchers, now.indexed + 1);
            return false;
        }
        int count = now.subscriptions.length;
        Recipient[] subscriptions = Arrays.copyOf(now.subscriptions, count + 1);
        @Nullable Matcher[] matchers = Arrays.copyOf(now.matchers, count + 1);
        subscriptions[count] = installed.recipient;
        matchers[count] = selector == null ? null : selector.bind(index().slots());
        view = new View(subscriptions, matchers, now.indexed);
        return false;
    }

    @Override
    public void remove(Installed installed) {
        View now = view;
        if (installed.entry != null) {
            indexed.remove(installed);
            view = new View(now.subscriptions, now.matchers, now.indexed - 1);
            return;
        }
        int at = Arrays.asList(now.subscriptions).indexOf(installed.recipient);
        if (at < 0) {
            return;
        }
        int count = now.subscriptions.length - 1;
        Recipient[] subscriptions = Arrays.copyOf(now.subscriptions, count);
        @Nullable Matcher[] matchers = Arrays.copyOf(now.matchers, count);
        System.arraycopy(now.subscriptions, at + 1, subscriptions, at, count - at);
        System.arraycopy(now.matchers, at + 1, matchers, at, count - at);
        view = new View(subscriptions, matchers, now.indexed);
        Matcher leaving = now.matchers[at];
        if (leaving != null) {
            leaving.release();
        }
    }

    @Override
    public boolean startTuning() {
        untuned = Math.min(SELECTORS_PER_TUNING, view.matchers.length);
        tuningIndexed = indexed.startTuning();
        return untuned > 0 || tuningIndexed;
    }

    @Override
    public boolean tuneSome() {
        if (untuned <= 0) {
            tuningIndexed = tuningIndexed && indexed.tuneSome();
            return tuningIndexed;
        }
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
        return untuned > 0 || tuningIndexed;
    }

    @Override
    public boolean begin(MessageBlock block, MatchContext context, MatchSink<Recipient> sink) {
        View now = view;
        if (now.filters + now.indexed == 0) {
            context.check(block);
        } else {
            indexed.project(block, context);
            context.evaluated(now.filters);
        }
        return proceed(now, 0, context, sink);
    }

    @Override
    public boolean resume(MatchContext context, MatchSink<Recipient> sink) {
        return context.takeRest() instanceof Rest rest
                ? proceed(rest.view, rest.from, context, sink)
                : indexed.resume(context, sink);
    }

    /// Rest of a match that was stopped before it came to the index.
    private record Rest(View view, int from) {}

    private boolean proceed(View now, int from, MatchContext context, MatchSink<Recipient> sink) {
        SlotValues values = context.values();
        Scratch scratch = values.scratch();
        long scannedBefore = scratch.scannedBytes;
        if (from == 0 && now.filters > 0) {
            while (values.hasManyStringBytes()) {
                values.lookUpSomeStrings();
                if (stops(now, 0, scratch.scannedBytes - scannedBefore, context)) {
                    return false;
                }
            }
            values.lookUpStrings();
        }
        long look = scratch.scannedBytes + SCANNED_BYTES;
        int count = now.matchers.length;
        for (int i = from; i < count; i++) {
            long scanned = scratch.scannedBytes;
            if (i > from && (i % LOOKED_AT == 0 || scanned >= look)) {
                look = scanned + SCANNED_BYTES;
                if (stops(now, i, scanned - scannedBefore, context)) {
                    return false;
                }
            }
            Matcher matcher = now.matchers[i];
            if (matcher == null || matcher.matches(values)) {
                sink.onMatch(now.subscriptions[i]);
            }
        }
        if (now.indexed == 0) {
            return true;
        }
        return !(from < count && stops(now, count, scratch.scannedBytes - scannedBefore, context))
                && indexed.beginProjected(context, sink);
    }

    /// Stops the match if the turn is over.
    private static boolean stops(View now, int next, long scanned, MatchContext context) {
        boolean over = context.turnIsOver(next + scanned / MatchPause.BYTES_PER_UNIT);
        if (over) {
            context.leave(new Rest(now, next));
        }
        return over;
    }
}
