package org.winnowmq.examples.threads;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import winnow.client.WinnowConnectionFactory;

/**
 * A thousand virtual threads wait for one message each, with a selector each, on one connection.
 */
public class ManyConsumers {
    private static final int CONSUMERS = 1000;

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        CountDownLatch subscribed = new CountDownLatch(CONSUMERS);
        try (JMSContext context = new WinnowConnectionFactory(url).createContext();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Topic orders = context.createTopic("orders");
            var answers =
                    IntStream.range(0, CONSUMERS)
                            .mapToObj(
                                    customer ->
                                            threads.submit(
                                                    () -> receive(context, customer, subscribed)))
                            .toList();
            if (!subscribed.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "expected all subscriptions, missing " + subscribed.getCount());
            }
            for (int customer = 0; customer < CONSUMERS; customer++) {
                context.createProducer()
                        .setProperty("customer", customer)
                        .send(orders, "order of " + customer);
            }
            int right = 0;
            for (int customer = 0; customer < CONSUMERS; customer++) {
                Future<String> answer = answers.get(customer);
                right += ("order of " + customer).equals(answer.get()) ? 1 : 0;
            }
            System.out.println("received: " + right + " orders on virtual threads");
            if (right != CONSUMERS) {
                throw new IllegalStateException("expected " + CONSUMERS + ", found " + right);
            }
        }
    }

    /** A session belongs to one thread, so each thread makes its own; they share the connection. */
    private static String receive(JMSContext connection, int customer, CountDownLatch subscribed) {
        try (JMSContext session = connection.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            JMSConsumer consumer =
                    session.createConsumer(
                            session.createTopic("orders"), "customer = " + customer);
            subscribed.countDown();
            return consumer.receiveBody(String.class, 60_000);
        }
    }
}
