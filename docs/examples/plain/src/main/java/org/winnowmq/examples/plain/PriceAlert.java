package org.winnowmq.examples.plain;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;
import winnow.client.WinnowConnectionFactory;

/** Subscribes with a selector, publishes some prices and prints the one that was asked for. */
public class PriceAlert {
    public static void main(String[] arguments) {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        try (JMSContext context = new WinnowConnectionFactory(url).createContext()) {
            Topic prices = context.createTopic("prices");
            JMSConsumer consumer = context.createConsumer(prices, "region = 'EU' AND price > 10");
            publish(context, prices, "cheap", "EU", 9.5);
            publish(context, prices, "far", "US", 20);
            publish(context, prices, "wanted", "EU", 11.5);

            String received = consumer.receiveBody(String.class, 10_000);
            String further = consumer.receiveBody(String.class, 500);
            System.out.println("received: " + received);
            if (!"wanted".equals(received) || further != null) {
                throw new IllegalStateException("expected only 'wanted', found also " + further);
            }
        }
    }

    private static void publish(
            JMSContext context, Topic topic, String text, String region, double price) {
        context.createProducer()
                .setProperty("region", region)
                .setProperty("price", price)
                .send(topic, text);
    }
}
