package org.winnowmq.examples.starter;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

/**
 * Sends orders to a queue and receives them. The connection is the starter's, and comes back by
 * itself when the broker does: nothing here is for a broker that goes away.
 *
 * <p>{@code desk.pause} is the time between two orders in milliseconds, 0 if it is not given.
 */
@SpringBootApplication
public class OrderDesk {
    private static final int ORDERS = 1000;

    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private final CountDownLatch awaited = new CountDownLatch(ORDERS);

    @JmsListener(destination = "desk-orders")
    void onOrder(String order) {
        // An order whose acknowledgement was on its way when the broker died comes again.
        if (received.add(order)) {
            awaited.countDown();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(OrderDesk.class, arguments)) {
            JmsTemplate jms = context.getBean(JmsTemplate.class);
            long pause = context.getEnvironment().getProperty("desk.pause", Long.class, 0L);
            Instant begin = Instant.now();
            for (int i = 0; i < ORDERS; i++) {
                jms.convertAndSend("desk-orders", "order " + i);
                if (pause > 0 && i == ORDERS / 4) {
                    System.out.println("sent: a quarter of the orders");
                }
                Thread.sleep(pause);
            }
            Duration sending = Duration.between(begin, Instant.now());
            OrderDesk desk = context.getBean(OrderDesk.class);
            boolean all = desk.awaited.await(30, TimeUnit.SECONDS);
            System.out.println("received: " + (ORDERS - desk.awaited.getCount()) + " orders");
            System.out.println("sent in " + sending.toMillis() + " ms");
            if (!all) {
                throw new IllegalStateException("expected " + ORDERS + " orders");
            }
        }
    }
}
