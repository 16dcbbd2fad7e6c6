package org.winnowmq.examples.boot;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.messaging.handler.annotation.Header;
import winnow.client.WinnowConnectionFactory;

/** Publishes prices with JmsTemplate and prints those that a selector asks for. */
@SpringBootApplication
public class PricesApplication {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final CountDownLatch expected = new CountDownLatch(2);

    /** One connection for all; without the cache JmsTemplate opens one for each message. */
    @Bean
    ConnectionFactory connectionFactory(@Value("${winnow.url}") String url) {
        CachingConnectionFactory cache =
                new CachingConnectionFactory(new WinnowConnectionFactory(url));
        cache.setCacheConsumers(false);
        return cache;
    }

    @JmsListener(destination = "prices", selector = "region = 'EU' AND price > 10")
    void onPrice(String text, @Header("price") double price) {
        received.add(text + " at " + price);
        expected.countDown();
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(PricesApplication.class, arguments)) {
            awaitSubscribed(context);
            JmsTemplate jms = context.getBean(JmsTemplate.class);
            send(jms, "cheap", "EU", 9.5);
            send(jms, "far", "US", 20);
            send(jms, "wanted", "EU", 11.5);
            send(jms, "wanted too", "EU", 12);

            PricesApplication application = context.getBean(PricesApplication.class);
            if (!application.expected.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("expected 2 prices, found " + application.received);
            }
            System.out.println("received: " + application.received);
        }
    }

    /** What is sent to a topic before anybody has subscribed is for nobody. */
    private static void awaitSubscribed(ConfigurableApplicationContext context)
            throws InterruptedException {
        JmsListenerEndpointRegistry listeners =
                context.getBean(JmsListenerEndpointRegistry.class);
        for (var container : listeners.getListenerContainers()) {
            var listener = (DefaultMessageListenerContainer) container;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!listener.isRegisteredWithDestination()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("expected a subscription within 30 s");
                }
                Thread.sleep(50);
            }
        }
    }

    private static void send(JmsTemplate jms, String text, String region, double price) {
        jms.convertAndSend(
                "prices",
                text,
                message -> {
                    message.setStringProperty("region", region);
                    message.setDoubleProperty("price", price);
                    return message;
                });
    }
}
