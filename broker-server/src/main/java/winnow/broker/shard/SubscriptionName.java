package winnow.broker.shard;

import winnow.wire.WireReader;
import winnow.wire.WireWriter;

/// Identity of a subscription for clients, and what it wants.
///
/// @param clientId client identifier, empty for a shared subscription that has none, and for a
///   queue
/// @param subscription name, empty for a queue
/// @param shared whether several consumers may share it
/// @param durable whether it and its messages survive the broker
/// @param noLocal whether messages of its own connection stay away
/// @param selector text, empty if there is none
/// @param correlationFilter text of the correlation-ID filter, empty if there is none
/// @param delayedFrom which messages it gets of those that were delayed when it was made
public record SubscriptionName(
        String clientId,
        String subscription,
        boolean shared,
        boolean durable,
        boolean noLocal,
        String selector,
        String correlationFilter,
        DelayedFrom delayedFrom) {
    /// That of a queue.
    static final SubscriptionName QUEUE = new SubscriptionName("", "", true, true, false, "", "");

    /// That of a temporary queue.
    static final SubscriptionName TEMPORARY_QUEUE =
            new SubscriptionName("", "", true, false, false, "", "");

    private static final int SHARED = 1;
    private static final int NO_LOCAL = 2;
    private static final int DELAYED_FROM = 4;

    /// A blank selector is none.
    public SubscriptionName {
        selector = selector.isBlank() ? "" : selector;
        correlationFilter = correlationFilter.isBlank() ? "" : correlationFilter;
    }

    /// One that gets all messages that were delayed when it was made.
    public SubscriptionName(
            String clientId,
            String subscription,
            boolean shared,
            boolean durable,
            boolean noLocal,
            String selector,
            String correlationFilter) {
        this(
                clientId,
                subscription,
                shared,
                durable,
                noLocal,
                selector,
                correlationFilter,
                DelayedFrom.ALL);
    }

    /// The same for fewer delayed messages.
    public SubscriptionName from(DelayedFrom first) {
        return new SubscriptionName(
                clientId,
                subscription,
                shared,
                durable,
                noLocal,
                selector,
                correlationFilter,
                first);
    }

    /// Name as a client gives it: the same for all delayed messages.
    ///
    /// @param other its selector
    public SubscriptionName withSelector(String other) {
        return new SubscriptionName(
                clientId, subscription, shared, durable, noLocal, other, correlationFilter);
    }

    /// True if messages name those subscriptions that they are for.
    boolean selective() {
        return noLocal || !selector.isEmpty() || !correlationFilter.isEmpty() || hasDelayedFrom();
    }

    private boolean hasDelayedFrom() {
        return !delayedFrom.equals(DelayedFrom.ALL);
    }

    /// For people; empty for a queue.
    public String display() {
        return clientId.isEmpty() ? subscription : clientId + "." + subscription;
    }

    /// Only of durable ones.
    void write(WireWriter out) {
        int delayed = hasDelayedFrom() ? DELAYED_FROM : 0;
        out.writeByte((shared ? SHARED : 0) | (noLocal ? NO_LOCAL : 0) | delayed);
        out.writeString(clientId);
        out.writeString(subscription);
        out.writeString(selector);
        out.writeString(correlationFilter);
        if (delayed != 0) {
            out.writeVarint(delayedFrom.queue());
            out.writeVarlong(delayedFrom.sequence());
        }
    }

    static SubscriptionName read(WireReader in) {
        int flags = in.readUnsignedByte();
        String clientId = in.readString();
        String subscription = in.readString();
        String selector = in.readString();
        String correlationFilter = in.readString();
        DelayedFrom delayedFrom =
                (flags & DELAYED_FROM) == 0
                        ? DelayedFrom.ALL
                        : new DelayedFrom(in.readVarint(), in.readVarlong());
        return new SubscriptionName(
                clientId,
                subscription,
                (flags & SHARED) != 0,
                true,
                (flags & NO_LOCAL) != 0,
                selector,
                correlationFilter,
                delayedFrom);
    }
}
