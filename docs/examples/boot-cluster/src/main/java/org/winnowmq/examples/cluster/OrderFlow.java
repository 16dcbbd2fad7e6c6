package org.winnowmq.examples.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.support.JmsHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.SendTo;

/**
 * Sends orders to a cluster, ships each in a transaction, and counts what arrives, until Enter is
 * pressed. Nodes may be killed, stand still and hand the lead over meanwhile: nothing here is for
 * that, and no order may be lost or shipped twice.
 */
@SpringBootApplication
public class OrderFlow {
    private static final int REPORT = 100;

    private final Set<String> received = ConcurrentHashMap.newKeySet();

    /** Message identifiers by orders. */
    private final Map<String, String> shipped = new ConcurrentHashMap<>();

    private final AtomicInteger marked = new AtomicInteger();
    private final AtomicInteger violations = new AtomicInteger();

    /** Boot's listeners are transacted: the order is taken and the parcel sent, or neither. */
    @JmsListener(destination = "flow-orders")
    @SendTo("flow-parcels")
    String onOrder(String order, @Header(JmsHeaders.REDELIVERED) boolean again) {
        count(order, received.add(order), again);
        return order;
    }

    @JmsListener(destination = "flow-parcels")
    void onParcel(
            String order,
            @Header(JmsHeaders.MESSAGE_ID) String id,
            @Header(JmsHeaders.REDELIVERED) boolean again) {
        String before = shipped.putIfAbsent(order, id);
        count(order, before == null, again);
        if (before != null && !before.equals(id)) {
            violations.incrementAndGet();
            System.out.println("shipped twice: " + order + ", as " + before + " and " + id);
        }
    }

    /** What may have been received before comes again with a mark. */
    private void count(String order, boolean first, boolean again) {
        if (!first && again) {
            marked.incrementAndGet();
        } else if (!first) {
            violations.incrementAndGet();
            System.out.println("twice without a mark: " + order);
        }
    }

    /** Returns how many orders the cluster has confirmed. */
    private int send(JmsTemplate jms) throws InterruptedException {
        Thread enter = new Thread(OrderFlow::awaitEnter, "enter");
        enter.setDaemon(true);
        enter.start();
        long longest = 0;
        int confirmed = 0;
        while (enter.isAlive()) {
            long begin = System.nanoTime();
            jms.convertAndSend("flow-orders", "order " + confirmed);
            longest = Math.max(longest, System.nanoTime() - begin);
            confirmed++;
            if (confirmed % REPORT == 0) {
                System.out.println("confirmed: " + confirmed);
            }
            Thread.sleep(2);
        }
        System.out.println("longest wait of a send: " + longest / 1_000_000 + " ms");
        return confirmed;
    }

    private static void awaitEnter() {
        try {
            int unused = System.in.read();
        } catch (IOException e) {
            System.out.println("no input: " + e.getMessage());
        }
    }

    private void awaitShipped(int confirmed) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (shipped.size() < confirmed && System.nanoTime() < deadline) {
            Thread.sleep(100);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        OrderFlow flow;
        int confirmed;
        try (ConfigurableApplicationContext context =
                SpringApplication.run(OrderFlow.class, arguments)) {
            flow = context.getBean(OrderFlow.class);
            confirmed = flow.send(context.getBean(JmsTemplate.class));
            flow.awaitShipped(confirmed);
        }
        int lost = confirmed - flow.shipped.size();
        System.out.println("confirmed: " + confirmed + ", again and marked: " + flow.marked);
        System.out.println("lost: " + lost + ", twice: " + flow.violations);
        if (lost != 0 || flow.violations.get() != 0) {
            throw new IllegalStateException("expected each order once");
        }
    }
}
