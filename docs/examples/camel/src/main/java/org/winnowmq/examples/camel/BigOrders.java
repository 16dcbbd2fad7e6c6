package org.winnowmq.examples.camel;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.component.jms.JmsConsumer;
import org.apache.camel.impl.DefaultCamelContext;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import winnow.client.WinnowConnectionFactory;

/**
 * Routes big orders, chosen by a selector in the broker, from one topic to another, and answers
 * requests that wait in a queue.
 */
public class BigOrders {
    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        BlockingQueue<String> big = new LinkedBlockingQueue<>();
        try (CamelContext camel = new DefaultCamelContext()) {
            camel.addComponent(
                    "winnow", JmsComponent.jmsComponent(new WinnowConnectionFactory(url)));
            camel.addRoutes(
                    new RouteBuilder() {
                        @Override
                        public void configure() {
                            from("winnow:topic:orders?selector=RAW(amount > 1000)")
                                    .routeId("big")
                                    .setBody(simple("big: ${body}"))
                                    .to("winnow:topic:big-orders");
                            from("winnow:topic:big-orders")
                                    .routeId("seen")
                                    .process(one -> big.add(one.getMessage().getBody(String.class)));
                            from("winnow:queue:prices")
                                    .routeId("prices")
                                    .setBody(simple("price of a ${body}: 7"));
                        }
                    });
            camel.start();
            awaitSubscribed(camel, "big");
            awaitSubscribed(camel, "seen");

            try (ProducerTemplate producer = camel.createProducerTemplate()) {
                producer.sendBodyAndHeaders("winnow:topic:orders", "pen", Map.of("amount", 2));
                producer.sendBodyAndHeaders("winnow:topic:orders", "car", Map.of("amount", 20_000));
                String seen = big.poll(30, TimeUnit.SECONDS);
                System.out.println("received: " + seen);
                if (!"big: car".equals(seen)) {
                    throw new IllegalStateException("expected 'big: car', found '" + seen + "'");
                }
                // The reply comes to a temporary queue.
                String price =
                        producer.requestBody("winnow:queue:prices", "pen", String.class);
                System.out.println("received: " + price);
                if (!"price of a pen: 7".equals(price)) {
                    throw new IllegalStateException("expected a price, found '" + price + "'");
                }
            }
        }
    }

    /** What is sent to a topic before anybody has subscribed is for nobody. */
    static void awaitSubscribed(CamelContext camel, String route) throws Exception {
        JmsConsumer consumer = (JmsConsumer) camel.getRoute(route).getConsumer();
        var container = (DefaultMessageListenerContainer) consumer.getListenerContainer();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!container.isRegisteredWithDestination()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("expected a subscription of " + route);
            }
            Thread.sleep(50);
        }
    }
}
