package org.winnowmq.examples.camel;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;
import winnow.client.WinnowConnectionFactory;

/**
 * Hands orders on from a queue to another in transactions, with nothing for a broker that goes away
 * and comes back.
 */
public class SteadyOrders extends RouteBuilder {
    private static final int ORDERS = 300;
    private static final long PAUSE_MILLIS = 20;

    private final Set<String> booked = ConcurrentHashMap.newKeySet();
    private final CountDownLatch awaited = new CountDownLatch(ORDERS);

    @Override
    public void configure() {
        from("winnow:queue:steady?transacted=true").to("winnow:queue:booked?transacted=true");
        from("winnow:queue:booked").process(order -> book(order.getMessage().getBody(String.class)));
    }

    /** An order whose acknowledgement was on its way when the broker died comes again. */
    private void book(String order) {
        if (booked.add(order)) {
            awaited.countDown();
        }
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        SteadyOrders orders = new SteadyOrders();
        try (CamelContext camel = new DefaultCamelContext()) {
            camel.addComponent(
                    "winnow", JmsComponent.jmsComponent(new WinnowConnectionFactory(url)));
            camel.addRoutes(orders);
            camel.start();
            try (ProducerTemplate producer = camel.createProducerTemplate()) {
                for (int i = 0; i < ORDERS; i++) {
                    producer.sendBody("winnow:queue:steady", "order " + i);
                    if (i == ORDERS / 4) {
                        System.out.println("sent: a quarter of the orders");
                    }
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
            boolean all = orders.awaited.await(60, TimeUnit.SECONDS);
            System.out.println("received: " + (ORDERS - orders.awaited.getCount()) + " orders");
            if (!all) {
                throw new IllegalStateException("expected " + ORDERS + " orders");
            }
        }
    }
}
