package winnow.broker.destination;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.fault.FatalErrors;
import winnow.broker.matching.IndexedSubscriptions;
import winnow.broker.matching.Installed;
import winnow.broker.matching.LinearSubscriptions;
import winnow.broker.matching.MatchingMode;
import winnow.broker.matching.PropertyLimits;
import winnow.broker.matching.SelectorInfo;
import winnow.broker.matching.SlicedWork;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.matching.SubscriptionInfo;
import winnow.broker.matching.SubscriptionSet;
import winnow.broker.metrics.BlockReason;
import winnow.broker.metrics.Culprit;
import winnow.broker.metrics.MatchCounters;
import winnow.broker.metrics.SelectorCost;
import winnow.broker.metrics.TopicSource;
import winnow.broker.storage.StoredReference;
import winnow.broker.subscription.BudgetListener;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.broker.subscription.Subscription;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SelectorReport;
import winnow.wire.DestinationKind;

/// A topic: its subscriptions, and whether its producers are held back.
///
/// Subscriptions are added and removed by the owner loop alone, and read by all loops through a
/// [SubscriptionSet]. Everything else is thread-safe.
public final class Topic implements Destination, BudgetListener, TopicSource, Tuning.Tunable {
    private static final int ANSWER_SECONDS = 5;

    private final String name;
    private final StoredReference stored;
    private final Loop owner;
    private volatile SlowConsumerPolicy slowConsumerPolicy;
    private final SlicedWork work;
    private final BlockedProducers producers;
    private final SubscriptionSet subscriptions;
    private final MatchCounters matchCounters = new MatchCounters();

    /// Owner only, in the order in which they came.
    private final Map<Recipient, Installed> installed = new LinkedHashMap<>();

    private final CostlySelectors costly = new CostlySelectors();
    private int lastNumber;
    private boolean tidying;
    private long tunedMessages;
    private boolean tuning;

    private volatile Size size = new Size(0, 0, 0);

    /// Number of subscriptions that want every message to be stored. Owner only.
    private int storingAll;

    /// Number of durable and shared subscriptions. Owner only.
    private int named;

    /// True if there are such subscriptions. Written by the owner.
    private volatile boolean hasNamed;

    /// True if a match of this topic was ever stopped. Any loop.
    private volatile boolean matchesLong;

    /// True if there are such subscriptions. Written by the owner.
    private volatile boolean storesAll;

    /// For other threads.
    private record Size(int subscriptions, int selectors, int terms) {}

    private final PropertyLimits limits;

    /// References from handles and subscriptions; guarded by the registry's map.
    public int references;

    /// @param work of the owner
    /// @param limits of the message's properties
    public Topic(
            String name,
            Loop owner,
            SlicedWork work,
            MatchingMode mode,
            PropertyLimits limits,
            SlowConsumerPolicy slowConsumerPolicy) {
        this.name = name;
        this.limits = limits;
        this.stored = new StoredReference(DestinationKind.TOPIC, name);
        this.slowConsumerPolicy = slowConsumerPolicy;
        this.owner = owner;
        this.work = work;
        this.producers = new BlockedProducers(name, owner.faults());
        this.subscriptions =
                switch (mode) {
                    case INDEXED -> new IndexedSubscriptions();
                    case LINEAR -> new LinearSubscriptions();
                };
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.TOPIC;
    }

    /// The topic in the storage, if some subscription of it is stored.
    @Override
    public StoredReference stored() {
        return stored;
    }

    /// The loop that changes the subscriptions.
    public Loop owner() {
        return owner;
    }

    @Override
    public String matching() {
        return subscriptions.mode().name().toLowerCase(Locale.ROOT);
    }

    public SubscriptionSet subscriptions() {
        return subscriptions;
    }

    /// Limits of the properties of its messages.
    public PropertyLimits propertyLimits() {
        return limits;
    }

    /// True if a match was ever stopped. Any loop.
    public boolean matchesLong() {
        return matchesLong;
    }

    /// A match is stopped. Any loop.
    public void onLongMatch() {
        matchesLong = true;
    }

    @Override
    public MatchCounters matchCounters() {
        return matchCounters;
    }

    @Override
    public int subscriptionCount() {
        return size.subscriptions;
    }

    @Override
    public int distinctSelectors() {
        return size.selectors;
    }

    @Override
    public int indexTerms() {
        return size.terms;
    }

    /// The selector as it is best given to [#add]. Takes a while for a large one, so not on a loop.
    public Selector prepared(Selector selector) {
        return subscriptions.prepared(selector);
    }

    /// Adds a subscription, in steps. Any thread.
    ///
    /// @param selector the filter parsed and [#prepared], null if there is none
    /// @param added called on the owner loop when messages routed from then on reach it
    /// @param failed called there if that will never be
    public void add(
            Recipient recipient,
            SubscriptionFilter filter,
            @Nullable Selector selector,
            Runnable added,
            Consumer<Throwable> failed) {
        owner.execute(() -> {
            Installed adding = new Installed(recipient, filter);
            work.add(() -> addStep(adding, selector, added, failed));
        });
    }

    private boolean addStep(
            Installed adding,
            @Nullable Selector selector,
            Runnable added,
            Consumer<Throwable> failed) {
        try {
            if (takesAll(adding)) {
                storesAll = ++storingAll > 0;
            } else if (subscriptions.add(adding, selector)) {
                return true;
            }
        } catch (RuntimeException | Error e) {
            FatalErrors.endIfFatal(e);
            startTidying();
            failed.accept(e);
            return false;
        }
        adding.number = ++lastNumber;
        installed.put(adding.recipient, adding);
        countNamed(adding, 1);
        measure();
        startTidying();
        added.run();
        return false;
    }

    /// True if every message is stored for it: the index need not find it.
    private static boolean takesAll(Installed one) {
        return one.filter.isEmpty()
                && one.recipient instanceof StoredRecipient stored
                && stored.wantsAll();
    }

    private void countNamed(Installed one, int more) {
        named += one.recipient instanceof StoredRecipient ? more : 0;
        hasNamed = named > 0;
    }

    /// True if durable or shared subscriptions are among those of the topic. Any thread.
    public boolean hasNamed() {
        return hasNamed;
    }

    /// True if every message is stored, because some subscription wants them all. Any thread.
    public boolean storesAll() {
        return storesAll;
    }

    /// Removes a subscription. Owner only.
    public void remove(Recipient recipient) {
        assert owner.inLoop();
        Installed removed = installed.remove(recipient);
        if (removed != null) {
            countNamed(removed, -1);
            if (takesAll(removed)) {
                storesAll = --storingAll > 0;
            } else {
                subscriptions.remove(removed);
            }
            measure();
            startTidying();
        }
    }

    /// Forgets in steps what no subscription needs any more: what a removed one leaves, and what
    /// several that were added at the same time made twice.
    private void startTidying() {
        if (!tidying) {
            tidying = true;
            work.add(this::tidy);
        }
    }

    private boolean tidy() {
        // A fault ends this work; the next change begins anew.
        tidying = false;
        tidying = subscriptions.tidy();
        if (!tidying) {
            measure();
        }
        return tidying;
    }

    /// Asks something of the owner loop, which answers between two messages. Any thread. What is
    /// made of the answer does not run on the loop.
    ///
    /// @return fails after [#ANSWER_SECONDS]
    private <T> CompletionStage<T> ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(() -> answer(question), owner)
                .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .handleAsync((answer, error) -> {
                    if (error != null) {
                        throw error instanceof CompletionException known
                                ? known
                                : new CompletionException(error);
                    }
                    return answer;
                });
    }

    /// A future would keep even an error that the process does not survive.
    private static <T> T answer(Supplier<T> question) {
        try {
            return question.get();
        } catch (Throwable failure) {
            FatalErrors.endIfFatal(failure);
            throw failure;
        }
    }

    /// The subscriptions in the order of their numbers. Any thread.
    ///
    /// @param after only those with greater numbers
    /// @param limit so many at most
    /// @param shown which of them
    public CompletionStage<List<SubscriptionInfo>> list(
            int after, int limit, Predicate<Recipient> shown) {
        return ask(() ->
                installed.values().stream()
                        .filter(one -> one.number > after && shown.test(one.recipient))
                        .limit(limit)
                        .map(Installed::info)
                        .toList());
    }

    /// The subscriptions for which most waits. Any thread.
    ///
    /// @param shown which of them
    public CompletionStage<List<SubscriptionInfo>> slowest(int limit, Predicate<Recipient> shown) {
        return ask(() ->
                installed.values().stream()
                        .filter(one -> shown.test(one.recipient))
                        .map(Installed::info)
                        .sorted(Comparator.comparingLong(SubscriptionInfo::waitingBytes).reversed())
                        .limit(limit)
                        .toList());
    }

    /// Information about the selector of a subscription. Any thread.
    ///
    /// @param number of the subscription within the topic
    /// @param shown which may be explained
    /// @return empty if there is no such subscription
    public CompletionStage<Optional<SelectorInfo>> explain(int number, Predicate<Recipient> shown) {
        return ask(() ->
                installed.values().stream()
                        .filter(one -> one.number == number && shown.test(one.recipient))
                        .findFirst()
                        .map(this::explain));
    }

    private SelectorInfo explain(Installed one) {
        SelectorReport report = one.entry == null ? null : subscriptions.index().report(one.entry);
        return new SelectorInfo(one.info(), one.filter, report);
    }

    @Override
    public List<SelectorCost> costliestSelectors() {
        return costly.known();
    }

    /// Begins to let matching learn from the messages since the last call, if there were any, and
    /// logs whether producers are held back. Owner only.
    @Override
    public boolean startTuning() {
        producers.look(System.nanoTime());
        long messages = matchCounters.messages.sum();
        if (messages == tunedMessages) {
            return false;
        }
        tunedMessages = messages;
        tuning = subscriptions.startTuning();
        return true;
    }

    /// Owner only.
    @Override
    public boolean tuneSome() {
        if (tuning) {
            tuning = subscriptions.tuneSome();
            return true;
        }
        costly.publish(subscriptions.index());
        return false;
    }

    private void measure() {
        SelectorIndex<Recipient> index = subscriptions.index();
        size = new Size(installed.size(), index.selectors(), index.terms());
    }

    @Override
    public boolean blocked() {
        return producers.blocked();
    }

    @Override
    public int blockedProducers() {
        return producers.count();
    }

    /// Policy for a subscription that holds producers back.
    public SlowConsumerPolicy slowConsumerPolicy() {
        return slowConsumerPolicy;
    }

    /// For consumers that subscribe from now on.
    public void slowConsumerPolicy(SlowConsumerPolicy policy) {
        slowConsumerPolicy = policy;
    }

    @Override
    public String blockReason() {
        return producers.reason();
    }

    @Override
    public BlockReason blockedBy() {
        return producers.limit();
    }

    @Override
    public List<Culprit> culprits(int limit) {
        return producers.culprits(limit);
    }

    /// At most so many of the producers that are held back. Any thread.
    public List<HeldProducer> heldProducers(int limit) {
        return producers.held(limit);
    }

    @Override
    public void onHeld(BlockedProducer producer, Supplier<HeldProducer> info) {
        producers.onHeld(producer, info);
    }

    @Override
    public void onFreed(BlockedProducer producer) {
        producers.onFreed(producer);
    }

    @Override
    public void await(BlockedProducer producer) {
        producers.await(producer);
    }

    @Override
    public void forget(BlockedProducer producer) {
        producers.forget(producer);
    }

    @Override
    public void onOverBudget(Subscription subscription) {
        producers.onOverBudget(subscription);
    }

    @Override
    public void onRelieved(Subscription subscription) {
        producers.onRelieved(subscription);
    }
}
