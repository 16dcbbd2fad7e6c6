package winnow.client.session;

import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;
import winnow.client.message.SpillSpace;
import winnow.client.receive.ConsumerSpec;
import winnow.wire.ConsumerRole;
import winnow.wire.ErrorCode;
import winnow.wire.frame.DeleteSubscription;

/// The part of a session that makes consumers: which destinations and names each kind takes.
abstract class SessionConsumers extends SessionBasics {
    SessionConsumers(JmsDomain domain) {
        super(domain);
    }

    abstract WinnowConnection connection();

    @Override
    final SpillSpace spillSpace() {
        return connection().spillSpace();
    }

    /// Makes a consumer.
    ///
    /// @throws JMSException if the broker refuses, or the session is closed
    abstract WinnowConsumer newConsumer(ConsumerSpec spec) throws JMSException;

    /// Makes a browser.
    ///
    /// @throws JMSException if the session is closed
    abstract QueueBrowser newBrowser(ConsumerSpec spec) throws JMSException;

    private WinnowDestination consumable(@Nullable Destination destination) throws JMSException {
        requireOpen();
        WinnowDestination adopted = WinnowDestination.adopt(destination);
        connection().temporaries().requireOwn(adopted);
        return adopted;
    }

    private WinnowTopic topic(@Nullable Topic topic) throws JMSException {
        if (consumable(topic) instanceof WinnowTopic own) {
            return own;
        }
        throw new InvalidDestinationException("expected a topic, found a queue: " + topic);
    }

    private WinnowQueue queue(@Nullable Queue queue) throws JMSException {
        if (consumable(queue) instanceof WinnowQueue own) {
            return own;
        }
        throw new InvalidDestinationException("expected a queue, found a topic: " + queue);
    }

    @Override
    public final MessageConsumer createConsumer(Destination destination) throws JMSException {
        return createConsumer(destination, null, false);
    }

    @Override
    public final MessageConsumer createConsumer(Destination destination, @Nullable String selector)
            throws JMSException {
        return createConsumer(destination, selector, false);
    }

    @Override
    public final MessageConsumer createConsumer(
            Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return newConsumer(ConsumerSpec.of(consumable(destination), selector, noLocal));
    }

    @Override
    public final TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public final TopicSubscriber createSubscriber(
            Topic topic, @Nullable String selector, boolean noLocal) throws JMSException {
        domain().requireTopics("createSubscriber()");
        return newConsumer(ConsumerSpec.of(topic(topic), selector, noLocal));
    }

    @Override
    public final QueueReceiver createReceiver(Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public final QueueReceiver createReceiver(Queue queue, @Nullable String selector)
            throws JMSException {
        domain().requireQueues("createReceiver()");
        return newConsumer(ConsumerSpec.of(queue(queue), selector, false));
    }

    @Override
    public final MessageConsumer createSharedConsumer(Topic topic, String name)
            throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public final MessageConsumer createSharedConsumer(
            Topic topic, String name, @Nullable String selector) throws JMSException {
        domain().requireTopics("createSharedConsumer()");
        return newConsumer(
                ConsumerSpec.named(ConsumerRole.SHARED, topic(topic), name, selector, false));
    }

    @Override
    public final MessageConsumer createSharedDurableConsumer(Topic topic, String name)
            throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public final MessageConsumer createSharedDurableConsumer(
            Topic topic, String name, @Nullable String selector) throws JMSException {
        domain().requireTopics("createSharedDurableConsumer()");
        WinnowTopic lasting = lasting(topic);
        return newConsumer(
                ConsumerSpec.named(ConsumerRole.SHARED_DURABLE, lasting, name, selector, false));
    }

    @Override
    public final TopicSubscriber createDurableSubscriber(Topic topic, String name)
            throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public final TopicSubscriber createDurableSubscriber(
            Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain().requireTopics("createDurableSubscriber()");
        return newDurable(topic, name, selector, noLocal);
    }

    @Override
    public final MessageConsumer createDurableConsumer(Topic topic, String name)
            throws JMSException {
        return createDurableConsumer(topic, name, null, false);
    }

    @Override
    public final MessageConsumer createDurableConsumer(
            Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain().requireTopics("createDurableConsumer()");
        return newDurable(topic, name, selector, noLocal);
    }

    private WinnowConsumer newDurable(
            Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        WinnowTopic lasting = lasting(topic);
        requireClientId();
        return newConsumer(
                ConsumerSpec.named(ConsumerRole.DURABLE, lasting, name, selector, noLocal));
    }

    /// Consumer that a connection consumer asks of its server sessions.
    ///
    /// @param anonymous name of the subscription of a topic
    final ConsumerSpec shareable(
            @Nullable Destination destination, @Nullable String selector, String anonymous)
            throws JMSException {
        WinnowDestination from = consumable(destination);
        return from instanceof WinnowTopic topic
                ? ConsumerSpec.named(ConsumerRole.SHARED, topic, anonymous, selector, false)
                : ConsumerSpec.of(from, selector, false);
    }

    /// The same of a subscription with a name.
    final ConsumerSpec named(
            ConsumerRole role, @Nullable Topic topic, String name, @Nullable String selector)
            throws JMSException {
        if (role == ConsumerRole.DURABLE) {
            requireClientId();
        }
        WinnowTopic from = role.isDurable() ? lasting(topic) : topic(topic);
        return ConsumerSpec.named(role, from, name, selector, false);
    }

    private void requireClientId() throws JMSException {
        if (connection().getClientID() == null) {
            throw new IllegalStateException(
                    "an unshared durable subscription needs a client identifier: set the option"
                            + " clientID or call setClientID()");
        }
    }

    /// A topic that a subscription can outlive its connection for.
    private WinnowTopic lasting(@Nullable Topic topic) throws JMSException {
        WinnowTopic own = topic(topic);
        if (TemporaryNames.isTemporary(own)) {
            throw new InvalidDestinationException(
                    "a temporary topic cannot have a durable subscription: " + own);
        }
        return own;
    }

    /// Deletes a durable subscription.
    ///
    /// @throws InvalidDestinationException if there is none of that name
    /// @throws IllegalStateException if it has a consumer
    @Override
    public final void unsubscribe(String name) throws JMSException {
        domain().requireTopics("unsubscribe()");
        requireOpen();
        String known = ConsumerSpec.requireName(name);
        connection()
                .remove(
                        request -> new DeleteSubscription(request, known),
                        ErrorCode.UNKNOWN_SUBSCRIPTION);
    }

    @Override
    public final QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public final QueueBrowser createBrowser(Queue queue, @Nullable String selector)
            throws JMSException {
        domain().requireQueues("createBrowser()");
        WinnowQueue browsed = queue(queue);
        return newBrowser(new ConsumerSpec(ConsumerRole.BROWSER, browsed, selector, false, ""));
    }
}
