package winnow.client.transport;

import winnow.wire.ConsumerRole;
import winnow.wire.Source;

/// Terms that a consumer of a session asks for.
///
/// @param role what it takes its messages from
/// @param source destination, selector and correlation-ID filter
/// @param subscription name of the subscription, empty for a queue
/// @param noLocal whether messages of the same client identifier are left out
/// @param creditMessages deliveries that it accepts at first
/// @param creditBytes bytes of message blocks that it accepts at first
public record ConsumerTerms(
        ConsumerRole role,
        Source source,
        String subscription,
        boolean noLocal,
        int creditMessages,
        int creditBytes) {}
