package winnow.broker.session;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import winnow.broker.BrokerConfig;
import winnow.broker.budget.IntakeMemory;
import winnow.broker.budget.MetadataBudget;
import winnow.broker.budget.MetadataConfig;
import winnow.broker.budget.TransactionMemory;
import winnow.broker.matching.NameDictionary;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.metrics.AuthenticationCounters;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.permission.AccessControl;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.routing.Router;
import winnow.broker.security.Authenticator;
import winnow.broker.shard.ShardConfig;
import winnow.broker.storage.FlightMemory;
import winnow.broker.storage.Storage;
import winnow.broker.storage.StorageConfig;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.Loop;
import winnow.selector.check.SelectorLimits;

/// The loop of connections that is the test's thread, number 0 of two.
public final class FakeSessionLoop extends FakeLoop implements SessionLoop {
    final FakeLoop other;
    private final BacklogMemory memory;
    private final Router router;

    /// How long it takes from one look at the clock of matching to the next.
    long nanosPerLook;

    private long nanos;

    /// The wall clock.
    long nowMillis = 1_000_000_000;

    public FakeSessionLoop(BacklogMemory memory) {
        super(0, memory);
        this.memory = memory;
        other = new FakeLoop(1, memory);
        LoopCounters counters = new LoopCounters(new BrokerCounters(), 0);
        router =
                new Router(
                        this,
                        List.<Loop>of(this, other),
                        2,
                        new NameDictionary(1),
                        counters,
                        () -> nanos += nanosPerLook);
    }

    /// What connections of this loop need, with topics of their own and nobody connected.
    public SessionContext context(int maxFrameBytes) {
        return context(maxFrameBytes, new Authenticator(null, false, new AuthenticationCounters()));
    }

    SessionContext context(int maxFrameBytes, Authenticator authenticator) {
        DestinationRegistry destinations =
                new DestinationRegistry(BrokerConfig.DEFAULTS.destination(), List.of(this));
        Storage storage =
                Storage.open(StorageConfig.DEFAULTS, ShardConfig.DEFAULTS, id -> "", faults());
        return new SessionContext(
                new AtomicReference<>(SessionConfig.DEFAULTS),
                maxFrameBytes,
                new AtomicLong(1024),
                destinations,
                storage,
                new NamedSubscriptions(storage, destinations),
                new DelayedTopics(storage, destinations, loop -> router),
                TransactionMemory.of(BrokerHeap.unlimited()),
                IntakeMemory.of(BrokerHeap.unlimited()),
                SessionContext.commandsOf(BrokerHeap.unlimited()),
                FlightMemory.of(BrokerHeap.unlimited(), maxFrameBytes),
                new NameDictionary(1),
                memory,
                new MetadataBudget(MetadataConfig.DEFAULTS, BrokerHeap.unlimited()),
                new Connections(0),
                authenticator,
                AccessControl.none(),
                new SelectorParsing(1, SelectorLimits.DEFAULT),
                new BrokerCounters(),
                () -> nowMillis);
    }

    @Override
    public Router router() {
        return router;
    }

    @Override
    public void touch(ClientConnection connection) {}

    @Override
    public void onMessage(boolean routed, int frameBytes) {}

    @Override
    public void onAnswered() {}
}
