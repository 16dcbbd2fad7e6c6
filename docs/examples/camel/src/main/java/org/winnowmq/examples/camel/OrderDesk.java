package org.winnowmq.examples.camel;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.impl.DefaultCamelContext;
import winnow.client.WinnowConnectionFactory;

/**
 * Answers questions from a queue, hands orders on in transactions, the first of which fails, and has
 * a durable subscription.
 */
public class OrderDesk extends RouteBuilder {
    private final AtomicBoolean failed = new AtomicBoolean();
    private final BlockingQueue<String> booked = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> prices = new LinkedBlockingQueue<>();

    @Override
    public void configure() {
        from("winnow:queue:stock").setBody(simple("${body}: 3 in stock"));

        from("winnow:queue:desk?transacted=true")
                .to("winnow:queue:booking?transacted=true")
                .process(
                        order -> {
                            if (!failed.getAndSet(true)) {
                                throw new IllegalStateException("fails once, after it has sent");
                            }
                        });

        from("winnow:queue:booking")
                .process(order -> booked.add(order.getMessage().getBody(String.class)));

        from("winnow:topic:prices?subscriptionDurable=true&durableSubscriptionName=desk"
                        + "&clientId=desk")
                .routeId("prices")
                .process(price -> prices.add(price.getMessage().getBody(String.class)));
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        OrderDesk desk = new OrderDesk();
        try (CamelContext camel = new DefaultCamelContext()) {
            camel.addComponent(
                    "winnow", JmsComponent.jmsComponent(new WinnowConnectionFactory(url)));
            camel.addRoutes(desk);
            camel.start();

            try (ProducerTemplate producer = camel.createProducerTemplate()) {
                String stock = producer.requestBody("winnow:queue:stock", "pen", String.class);
                producer.sendBody("winnow:queue:desk", "two pens");
                String booked = desk.booked.poll(30, TimeUnit.SECONDS);
                String again = desk.booked.poll(1, TimeUnit.SECONDS);
                if (again != null) {
                    throw new IllegalStateException("expected one order, found also " + again);
                }

                BigOrders.awaitSubscribed(camel, "prices");
                camel.getRouteController().stopRoute("prices");
                producer.sendBody("winnow:topic:prices", "3 a pen");
                camel.getRouteController().startRoute("prices");
                String price = desk.prices.poll(30, TimeUnit.SECONDS);
                System.out.println("received: " + stock + "; " + booked + "; " + price);
            }
        }
    }
}
