package winnow.broker.destination;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Subscription;
import winnow.selector.Slots;

/// The subscriptions of a topic at one moment, as every publisher's loop reads them. Immutable but
/// for the cache of slots by name number, whose races are harmless: all writers write the same
/// values.
final class TopicView {
    static final TopicView EMPTY = new TopicView(new Subscription[0], new Slots());

    private static final byte UNKNOWN = 0;
    private static final int MIN_CACHE = 64;

    private final Subscription[] subscriptions;
    private final Slots slots;
    private final int filters;

    /// Slot + 2 by name number, 0 if not looked up yet.
    private int[] slotByName = new int[MIN_CACHE];

    TopicView(Subscription[] subscriptions, Slots slots) {
        this.subscriptions = subscriptions;
        this.slots = slots;
        this.filters = (int) Arrays.stream(subscriptions).filter(Subscription::filtered).count();
    }

    /// A view with one more.
    TopicView with(Subscription subscription, Slots slots) {
        Subscription[] more = Arrays.copyOf(subscriptions, subscriptions.length + 1);
        more[subscriptions.length] = subscription;
        return new TopicView(more, slots);
    }

    /// A view without it, or null if it was not there.
    @Nullable TopicView without(Subscription subscription, Slots slots) {
        int at = Arrays.asList(subscriptions).indexOf(subscription);
        if (at < 0) {
            return null;
        }
        Subscription[] fewer = new Subscription[subscriptions.length - 1];
        System.arraycopy(subscriptions, 0, fewer, 0, at);
        System.arraycopy(subscriptions, at + 1, fewer, at, fewer.length - at);
        return new TopicView(fewer, slots);
    }

    /// Borrowed: never change it.
    Subscription[] subscriptions() {
        return subscriptions;
    }

    Slots slots() {
        return slots;
    }

    /// Number of subscriptions that have a filter.
    int filters() {
        return filters;
    }

    /// The slot of the property with this number, -1 if no selector of the topic reads it.
    int slotOfName(int nameId, NameDictionary names) {
        int[] cache = slotByName;
        if (nameId >= cache.length) {
            cache = Arrays.copyOf(cache, Math.max(nameId + 1, 2 * cache.length));
            slotByName = cache;
        }
        int cached = cache[nameId];
        if (cached == UNKNOWN) {
            cached = slots.slotOf(names.name(nameId)) + 2;
            cache[nameId] = cached;
        }
        return cached - 2;
    }
}
