package winnow.loadgen.mix;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// Sends to one destination at its rate, as far as the broker lets it. Used by one thread.
final class MixProducer {
    private static final int LETTERS = 26;
    private static final int SYMBOL_CHARACTERS = 4;
    private static final int MAX_PRICE = 1000;
    private static final int MAX_QUANTITY = 100;

    private final Session session;
    private final MessageProducer producer;
    private final MixDestination to;
    private final String body;
    private final double messagesPerSecond;
    private final LongAdder sent;
    private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

    MixProducer(Connection connection, MixDestination to, double messagesPerSecond, LongAdder sent)
            throws JMSException {
        this.session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.producer = session.createProducer(to.of(session));
        this.to = to;
        this.body = "x".repeat(to.bodyCharacters());
        this.messagesPerSecond = messagesPerSecond;
        this.sent = sent;
        producer.setDeliveryMode(
                to.queue() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
    }

    /// Publishes until `stopped` says so. Messages that are late, because a send waited, are left
    /// out.
    void run(BooleanSupplier stopped) throws JMSException {
        var interval = (long) (TimeUnit.SECONDS.toNanos(1) / messagesPerSecond);
        var due = System.nanoTime();
        while (!stopped.getAsBoolean()) {
            producer.send(message());
            sent.increment();
            var now = System.nanoTime();
            due = Math.max(due + interval, now - TimeUnit.SECONDS.toNanos(1));
            if (due > now) {
                LockSupport.parkNanos(due - now);
            }
        }
    }

    private Message message() throws JMSException {
        var message = session.createTextMessage(body);
        if (to.selectors().stream().allMatch(String::isEmpty)) {
            return message;
        }
        message.setIntProperty("customer", random.nextInt(MixDestination.CUSTOMERS));
        message.setStringProperty(
                "region",
                MixDestination.REGIONS.get(random.nextInt(MixDestination.REGIONS.size())));
        message.setDoubleProperty("price", random.nextDouble(MAX_PRICE));
        message.setIntProperty("quantity", random.nextInt(1, MAX_QUANTITY));
        message.setBooleanProperty("express", random.nextBoolean());
        message.setStringProperty("symbol", symbol());
        return message;
    }

    private String symbol() {
        var symbol = new StringBuilder();
        for (var i = 0; i < SYMBOL_CHARACTERS; i++) {
            symbol.append((char) ('A' + random.nextInt(LETTERS)));
        }
        return symbol.toString();
    }
}
