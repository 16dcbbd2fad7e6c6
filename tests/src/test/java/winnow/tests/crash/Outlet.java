package winnow.tests.crash;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;

/// Where messages have to arrive, each once: a queue or a named subscription.
enum Outlet {
    /// A queue with consumers that compete.
    WORK(Target.WORK, Form.QUEUE, false),

    /// A queue with selective consumers.
    KINDS(Target.KINDS, Form.QUEUE, false),

    /// A queue from which one consumer moves messages to [#MOVED].
    ORDERS(Target.ORDERS, Form.QUEUE, true),

    /// The queue behind [#ORDERS].
    MOVED(Target.ORDERS, Form.QUEUE, true),

    /// A durable subscription.
    ALL(Target.PRICES, Form.DURABLE, true),

    /// A durable subscription with a selector.
    SOME(Target.PRICES, Form.DURABLE, true),

    /// A shared durable subscription.
    TEAM(Target.PRICES, Form.SHARED_DURABLE, false);

    private static final int SELECTED = 1;

    /// What kind of destination it is.
    private enum Form {
        QUEUE,
        DURABLE,
        SHARED_DURABLE
    }

    private final Target target;
    private final Form form;
    private final boolean exclusive;

    Outlet(Target target, Form form, boolean exclusive) {
        this.target = target;
        this.form = form;
        this.exclusive = exclusive;
    }

    /// Where its messages are sent to first.
    Target target() {
        return target;
    }

    /// True if it has one consumer at a time, which gets the messages of a sender in their order.
    boolean exclusive() {
        return exclusive;
    }

    boolean wants(int kind) {
        return this != SOME || kind == SELECTED;
    }

    /// Client identifier of its connections, empty for none.
    String clientId() {
        return form == Form.DURABLE ? name() : "";
    }

    /// @param selector of a consumer of a queue, empty for all
    MessageConsumer open(Session session, String selector) throws JMSException {
        if (form == Form.QUEUE) {
            Queue queue = this == MOVED ? session.createQueue("moved") : (Queue) target.in(session);
            return session.createConsumer(queue, selector);
        }
        Topic topic = (Topic) target.in(session);
        if (form == Form.SHARED_DURABLE) {
            return session.createSharedDurableConsumer(topic, name());
        }
        String own = this == SOME ? "kind = " + SELECTED : "";
        return session.createDurableConsumer(topic, name(), own, false);
    }
}
