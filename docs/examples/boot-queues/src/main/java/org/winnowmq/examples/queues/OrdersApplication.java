package org.winnowmq.examples.queues;

import jakarta.jms.ConnectionFactory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsMessagingTemplate;
import org.springframework.messaging.handler.annotation.Header;
import winnow.client.WinnowConnectionFactory;

/** Takes orders from a queue and answers them; what cannot be handled is a dead letter. */
@SpringBootApplication
public class OrdersApplication {
    private final BlockingQueue<String> dead = new LinkedBlockingQueue<>();

    @Bean
    ConnectionFactory connectionFactory(@Value("${winnow.url}") String url) {
        CachingConnectionFactory cache =
                new CachingConnectionFactory(new WinnowConnectionFactory(url));
        cache.setCacheConsumers(false);
        return cache;
    }

    /** What it returns goes to the reply queue of the request; what it throws is a rollback. */
    @JmsListener(destination = "orders", concurrency = "1-5")
    String onOrder(String item) {
        if (item.equals("unicorn")) {
            throw new IllegalArgumentException("not for sale: " + item);
        }
        return item + " is on its way";
    }

    @JmsListener(destination = "winnow.dead")
    void onDeadLetter(String item, @Header("JMS_WINNOW_DeadReason") String reason) {
        dead.add(item + ": " + reason);
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(OrdersApplication.class, arguments)) {
            JmsMessagingTemplate jms = context.getBean(JmsMessagingTemplate.class);
            String answer = jms.convertSendAndReceive("orders", "pen", String.class);
            jms.convertAndSend("orders", "unicorn");

            OrdersApplication application = context.getBean(OrdersApplication.class);
            // Ten attempts take 64 s with the default redelivery delays.
            String dead = application.dead.poll(2, TimeUnit.MINUTES);
            System.out.println("received: " + answer + "; " + dead);
            if (answer == null || dead == null) {
                throw new IllegalStateException("expected an answer and a dead letter");
            }
        }
    }
}
