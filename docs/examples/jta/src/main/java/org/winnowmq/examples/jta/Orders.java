package org.winnowmq.examples.jta;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import winnow.client.WinnowConnectionFactory;

/** An order that moves from one queue to another in a distributed transaction. */
record Orders(String url, String in, String checked) {
    /** Sends the order, outside of any transaction. */
    void place(String item) {
        try (JMSContext context = new WinnowConnectionFactory(url).createContext()) {
            context.createProducer().send(context.createQueue(in), item);
        }
    }

    /** Moves the order as a part of the transaction that the session belongs to. */
    void check(Session session) throws JMSException {
        try (MessageConsumer orders = session.createConsumer(session.createQueue(in))) {
            Message order = orders.receive(10_000);
            session.createProducer(session.createQueue(checked)).send(order);
        }
    }

    /** What has been checked, or null if nothing has yet. */
    String result() {
        try (JMSContext context = new WinnowConnectionFactory(url).createContext()) {
            return context.createConsumer(context.createQueue(checked))
                    .receiveBody(String.class, 500);
        }
    }

    /** Fails unless each order was moved once. */
    void requireNoMore() {
        try (JMSContext context = new WinnowConnectionFactory(url).createContext()) {
            String waiting =
                    context.createConsumer(context.createQueue(in)).receiveBody(String.class, 500);
            if (waiting != null || result() != null) {
                throw new IllegalStateException("expected each order once, found more");
            }
        }
    }
}
