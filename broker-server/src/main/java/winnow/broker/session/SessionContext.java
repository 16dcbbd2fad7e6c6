package winnow.broker.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import winnow.broker.budget.IntakeMemory;
import winnow.broker.budget.MetadataBudget;
import winnow.broker.budget.TransactionMemory;
import winnow.broker.matching.NameDictionary;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.OwnerShares;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.permission.AccessControl;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.security.Authenticator;
import winnow.broker.storage.FlightMemory;
import winnow.broker.storage.Storage;
import winnow.broker.subscription.BacklogMemory;

/// Parts that all connections share; they are thread-safe.
///
/// @param maxFrameBytes limit of one frame of an authenticated client
/// @param storage keeps what queues and named subscriptions have
/// @param named the named subscriptions; belong to the storage's thread
/// @param delayed messages to topics whose time has not come
/// @param transactions memory for what is not committed
/// @param intake memory for what is on its way into the storage
/// @param commands memory for what clients ask of the storage, with what they acknowledge
/// @param flights memory for what is on its way from the storage
/// @param access what users may do
/// @param currentConfig changes when settings are read again
/// @param currentBufferBytes bytes that may wait for one new subscription; changes likewise
/// @param wallMillis tells the time in ms since 1970
public record SessionContext(
        AtomicReference<SessionConfig> currentConfig,
        int maxFrameBytes,
        AtomicLong currentBufferBytes,
        DestinationRegistry destinations,
        Storage storage,
        NamedSubscriptions named,
        DelayedTopics delayed,
        TransactionMemory transactions,
        IntakeMemory intake,
        OwnerShares commands,
        FlightMemory flights,
        NameDictionary names,
        BacklogMemory backlogMemory,
        MetadataBudget metadata,
        Connections connections,
        Authenticator authenticator,
        AccessControl access,
        SelectorParsing selectors,
        BrokerCounters counters,
        LongSupplier wallMillis) {
    private static final int COMMANDS_HEAP_PART = 16;

    /// The longest command: an acknowledgement of as many ranges as one may have.
    private static final long COMMAND_BYTES = (1 << 20) + (64 << 10);

    /// Memory for commands: a sixteenth of the largest heap.
    public static OwnerShares commandsOf(BrokerHeap heap) {
        return new OwnerShares(
                heap.part(
                        "commands",
                        Runtime.getRuntime().maxMemory() / COMMANDS_HEAP_PART,
                        COMMAND_BYTES));
    }

    /// The limits in force.
    SessionConfig config() {
        return currentConfig.get();
    }

    /// Bytes that may wait for one new subscription.
    long bufferBytes() {
        return currentBufferBytes.get();
    }
}
