package org.winnowmq.examples.threads;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import winnow.client.WinnowConnectionFactory;

/**
 * A hundred virtual threads receive orders of a queue on one connection, with nothing for a broker
 * that goes away and comes back.
 */
public class LastingConsumers {
    private static final int CONSUMERS = 100;
    private static final int ORDERS = 1000;
    private static final long PAUSE_MILLIS = 5;
    private static final long PATIENCE_MILLIS = 30_000;

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        Set<String> received = ConcurrentHashMap.newKeySet();
        try (JMSContext context = new WinnowConnectionFactory(url).createContext();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var consumers =
                    IntStream.range(0, CONSUMERS)
                            .mapToObj(_ -> threads.submit(() -> receive(context, received)))
                            .toList();
            Queue orders = context.createQueue("lasting-orders");
            for (int i = 0; i < ORDERS; i++) {
                context.createProducer().send(orders, "order " + i);
                if (i == ORDERS / 4) {
                    System.out.println("sent: a quarter of the orders");
                }
                Thread.sleep(PAUSE_MILLIS);
            }
            for (var consumer : consumers) {
                consumer.get();
            }
        }
        System.out.println("received: " + received.size() + " orders");
        if (received.size() != ORDERS) {
            throw new IllegalStateException("expected " + ORDERS + " orders");
        }
    }

    /** Receives until all are there, or nothing has come for a while. */
    private static void receive(JMSContext connection, Set<String> received) {
        try (JMSContext session = connection.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            JMSConsumer consumer = session.createConsumer(session.createQueue("lasting-orders"));
            long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
            while (received.size() < ORDERS && System.currentTimeMillis() < deadline) {
                String order = consumer.receiveBody(String.class, 500);
                if (order != null) {
                    received.add(order);
                    deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
                }
            }
        }
    }
}
