package winnow.broker.matching;

/// A subscription for people.
///
/// @param id number within the topic, from 1, never used again
/// @param client the connection
/// @param selector as the client gave it, empty if there is none
/// @param correlationIdFilter as the client gave it, empty if there is none
/// @param waitingBytes what waits until the client takes it
public record SubscriptionInfo(
        int id, String client, String selector, String correlationIdFilter, long waitingBytes) {}
