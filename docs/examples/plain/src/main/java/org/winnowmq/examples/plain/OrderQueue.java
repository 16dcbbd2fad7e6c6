package org.winnowmq.examples.plain;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import winnow.client.WinnowConnectionFactory;

/** Moves orders from one queue to another in transactions, the first of which fails. */
public class OrderQueue {
    public static void main(String[] arguments) throws JMSException {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        try (JMSContext context =
                new WinnowConnectionFactory(url).createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue orders = context.createQueue("orders-in");
            Queue checked = context.createQueue("orders-checked");
            context.createProducer().send(orders, "pen");
            context.commit();

            JMSConsumer consumer = context.createConsumer(orders);
            Message order = consumer.receive(10_000);
            context.createProducer().send(checked, order);
            context.rollback();

            Message again = consumer.receive(10_000);
            String found = again.getBody(String.class);
            int delivery = again.getIntProperty("JMSXDeliveryCount");
            context.createProducer().send(checked, found + ", delivery " + delivery);
            context.commit();

            JMSConsumer results = context.createConsumer(checked);
            String received = results.receiveBody(String.class, 10_000);
            String further = results.receiveBody(String.class, 500);
            context.commit();
            System.out.println("received: " + received);
            if (!"pen, delivery 2".equals(received) || further != null) {
                throw new IllegalStateException("expected one order, found also " + further);
            }
        }
    }
}
