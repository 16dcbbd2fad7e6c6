package winnow.broker.destination;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.subscription.BudgetListener;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;
import winnow.selector.Selector;
import winnow.selector.Slots;

/// A topic: its subscriptions, and whether its producers are held back.
///
/// Subscriptions are added and removed by the owner loop alone. Everything else is thread-safe: the
/// view is one volatile field, the state of blocking is atomic.
public final class Topic implements BudgetListener {
    private static final Logger LOG = LoggerFactory.getLogger(Topic.class);

    private final String name;
    private final Loop owner;
    private final AtomicInteger overBudget = new AtomicInteger();
    private final ConcurrentLinkedQueue<BlockedProducer> waiting = new ConcurrentLinkedQueue<>();
    private Slots slots = new Slots();
    private volatile TopicView currentView = TopicView.EMPTY;
    private volatile String blockReason = "";

    /// References from handles and subscriptions; guarded by the registry's map.
    int references;

    Topic(String name, Loop owner) {
        this.name = name;
        this.owner = owner;
    }

    public String name() {
        return name;
    }

    /// The loop that changes the subscriptions.
    public Loop owner() {
        return owner;
    }

    TopicView view() {
        return currentView;
    }

    /// Number of subscriptions.
    public int subscriptionCount() {
        return currentView.subscriptions().length;
    }

    /// Adds a subscription with its filter: messages routed from now on reach it. Owner only.
    ///
    /// @param selector null if it has no filter
    public void add(Subscription subscription, @Nullable Selector selector) {
        assert owner.inLoop();
        if (selector != null) {
            subscription.matcher(selector.bind(slots));
        }
        currentView = currentView.with(subscription, slots);
    }

    /// Removes a subscription. Owner only.
    public void remove(Subscription subscription) {
        assert owner.inLoop();
        TopicView fewer = currentView.without(subscription, slots);
        if (fewer == null) {
            return;
        }
        if (fewer.filters() == 0) {
            slots = new Slots();
            fewer = new TopicView(fewer.subscriptions(), slots);
        }
        currentView = fewer;
    }

    /// Whether some subscription holds producers back.
    public boolean blocked() {
        return overBudget.get() > 0;
    }

    /// Which limit of which subscription holds producers back.
    public String blockReason() {
        return blockReason;
    }

    /// Calls `producer` once when the topic is not blocked, perhaps at once.
    public void await(BlockedProducer producer) {
        waiting.add(producer);
        if (!blocked()) {
            wake();
        }
    }

    @Override
    public void onOverBudget(Subscription subscription) {
        blockReason =
                "topic '"
                        + name
                        + "': subscription "
                        + subscription.id()
                        + " of "
                        + subscription.target()
                        + " has "
                        + subscription.backlogBytes()
                        + " bytes waiting (subscription.buffer is "
                        + subscription.budgetBytes()
                        + ")";
        if (overBudget.getAndIncrement() == 0) {
            LOG.debug("Producers are held back: {}", blockReason);
        }
    }

    @Override
    public void onRelieved(Subscription subscription) {
        if (overBudget.decrementAndGet() == 0) {
            wake();
        }
    }

    private void wake() {
        for (BlockedProducer producer = waiting.poll();
                producer != null;
                producer = waiting.poll()) {
            producer.onUnblocked();
        }
    }
}
