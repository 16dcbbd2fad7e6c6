import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackRuntimeException;
import winnow.client.WinnowConnectionFactory;

/// Keeps queues and a durable subscription busy, so that the boards about the store and about a
/// cluster have something to show: `orders` is processed, `later` has no consumer, and one message
/// in 50 fails until it is a dead letter. Runs until it is ended. Argument: the URL of the broker.
public final class QueueLoad {
    private static final int PAUSE_MILLIS = 5;
    private static final int FAILING = 50;

    private QueueLoad() {}

    public static void main(String[] arguments) throws InterruptedException {
        WinnowConnectionFactory factory = new WinnowConnectionFactory(arguments[0]);
        try (JMSContext consuming = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSContext durable = factory.createContext();
                JMSContext sending = factory.createContext()) {
            durable.setClientID("audit");
            Topic prices = durable.createTopic("prices");
            durable.createDurableConsumer(prices, "all").setMessageListener(_ -> {});
            Thread.ofPlatform().daemon().start(() -> consume(consuming));
            send(sending, prices);
        }
    }

    private static void send(JMSContext context, Topic prices) throws InterruptedException {
        Queue orders = context.createQueue("orders");
        Queue later = context.createQueue("later");
        for (int i = 0; true; i++) {
            context.createProducer().setProperty("number", i).send(orders, "order " + i);
            context.createProducer().send(prices, "price " + i);
            if (i % 10 == 0) {
                context.createProducer().send(later, "for later " + i);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static void consume(JMSContext context) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
            for (Message message = consumer.receive();
                    message != null;
                    message = consumer.receive()) {
                if (message.getIntProperty("number") % FAILING == 0) {
                    context.rollback();
                } else {
                    commit(context);
                }
            }
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void commit(JMSContext context) {
        try {
            context.commit();
        } catch (TransactionRolledBackRuntimeException e) {
            // Another node leads the cluster: the message comes again.
            System.err.println(e.getMessage());
        }
    }
}
