package org.winnowmq.examples.jta;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.CompletableFuture;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import winnow.client.WinnowConnectionFactory;

/**
 * Opens a connection for each message, which costs nothing where a pool has one already. The broker
 * ends and comes back in between, which the pool does not notice.
 */
public class PooledOrders {
    private static final int ORDERS = 1000;

    public static void main(String[] arguments) throws JMSException {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
        pool.setConnectionFactory(new WinnowConnectionFactory(url));
        Outage outage = Outage.of(arguments);
        CompletableFuture<Void> end = CompletableFuture.completedFuture(null);
        try {
            for (int i = 0; i < ORDERS; i++) {
                send(pool, "order " + i);
                if (i == ORDERS / 2) {
                    outage.begin();
                    end = CompletableFuture.runAsync(outage::end);
                }
            }
            end.join();
            rollBack(pool);
            int received = receive(pool);
            System.out.println(
                    "received: %d orders by %d connection"
                            .formatted(received, pool.getNumConnections()));
        } finally {
            pool.stop();
        }
    }

    private static void send(ConnectionFactory factory, String order) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue("pooled-orders"), order);
        }
    }

    private static void rollBack(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("pooled-orders"), "a mistake");
            context.rollback();
        }
    }

    private static int receive(ConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            int received = 0;
            try (MessageConsumer orders =
                    session.createConsumer(session.createQueue("pooled-orders"))) {
                while (orders.receive(received < ORDERS ? 10_000 : 500) instanceof TextMessage) {
                    received++;
                }
            }
            session.commit();
            return received;
        }
    }
}
