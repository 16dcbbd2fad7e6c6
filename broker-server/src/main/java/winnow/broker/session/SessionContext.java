package winnow.broker.session;

import winnow.broker.destination.NameDictionary;
import winnow.broker.destination.TopicRegistry;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.subscription.BacklogMemory;

/// What all connections share. Its parts are thread-safe.
///
/// @param maxFrameBytes limit of one frame of an authenticated client
/// @param bufferBytes bytes that may wait for one subscription
public record SessionContext(
        SessionConfig config,
        int maxFrameBytes,
        long bufferBytes,
        TopicRegistry topics,
        NameDictionary names,
        BacklogMemory backlogMemory,
        MetadataBudget metadata,
        Connections connections,
        Authenticator authenticator,
        SelectorParsing selectors,
        BrokerCounters counters) {}
