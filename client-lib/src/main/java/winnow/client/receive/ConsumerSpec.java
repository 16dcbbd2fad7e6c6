package winnow.client.receive;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTopic;
import winnow.wire.ConsumerRole;
import winnow.wire.Source;

/// Terms of a consumer, as an application asks for them.
///
/// @param role what it takes stored messages from; null for the live messages of a topic
/// @param selector null for none
/// @param subscription name of the subscription, empty if it has none
public record ConsumerSpec(
        @Nullable ConsumerRole role,
        WinnowDestination destination,
        @Nullable String selector,
        boolean noLocal,
        String subscription) {
    public ConsumerSpec {
        selector = selector == null || selector.isBlank() ? null : selector;
    }

    /// A consumer of a queue, or of what a topic gets while the consumer is open.
    public static ConsumerSpec of(
            WinnowDestination destination, @Nullable String selector, boolean noLocal) {
        boolean topic = destination instanceof WinnowTopic;
        return new ConsumerSpec(
                topic ? null : ConsumerRole.QUEUE, destination, selector, topic && noLocal, "");
    }

    /// A consumer of a subscription with a name.
    ///
    /// @throws JMSException if there is no name
    public static ConsumerSpec named(
            ConsumerRole role,
            WinnowTopic topic,
            @Nullable String name,
            @Nullable String selector,
            boolean noLocal)
            throws JMSException {
        return new ConsumerSpec(role, topic, selector, noLocal, requireName(name));
    }

    /// @throws JMSException if it is no name of a subscription
    public static String requireName(@Nullable String name) throws JMSException {
        if (name == null || name.isBlank()) {
            throw new JMSException("expected the name of a subscription, found none");
        }
        return name;
    }

    /// The destination with its filters, for the broker.
    public Source source() {
        return new Source(
                destination.kind(),
                destination.name(),
                selector == null ? "" : selector,
                destination instanceof WinnowTopic topic ? topic.correlationIdFilter() : "");
    }
}
