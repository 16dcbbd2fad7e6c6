package winnow.broker.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.TopicRegistry;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;

/// What all connections share. Its parts are thread-safe.
///
/// @param maxFrameBytes limit of one frame of an authenticated client
/// @param currentConfig changes when settings are read again
/// @param currentBufferBytes bytes that may wait for one new subscription; changes likewise
public record SessionContext(
        AtomicReference<SessionConfig> currentConfig,
        int maxFrameBytes,
        AtomicLong currentBufferBytes,
        TopicRegistry topics,
        NameDictionary names,
        BacklogMemory backlogMemory,
        MetadataBudget metadata,
        Connections connections,
        Authenticator authenticator,
        SelectorParsing selectors,
        BrokerCounters counters) {
    /// The limits in force.
    SessionConfig config() {
        return currentConfig.get();
    }

    /// Bytes that may wait for one new subscription.
    long bufferBytes() {
        return currentBufferBytes.get();
    }
}
