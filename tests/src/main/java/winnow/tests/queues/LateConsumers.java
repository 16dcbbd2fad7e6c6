package winnow.tests.queues;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A queue in which messages wait that take long to handle. A few consumers begin, and others join
/// them when the first have what they were sent ahead, as listener containers that grow do. With
/// the settings that each client has by itself.
final class LateConsumers implements QueueScenario {
    private static final String NAME = "late";
    private static final String QUEUE = "late";
    private static final int MESSAGES = 1000;
    private static final int FIRST = 3;
    private static final int ALL = 10;
    private static final long MESSAGE_MILLIS = 20;
    private static final long JOINED_AFTER_MILLIS = 200;

    @Override
    public void run(Stage stage) throws Exception {
        for (int round = 1; round <= Math.max(3, stage.options().rounds()); round++) {
            try (Client client = stage.client()) {
                long sent =
                        Filling.of(
                                        client,
                                        SendPlan.fill(QUEUE, MESSAGES),
                                        stage.options().scenarioLimit().dividedBy(3))
                                .messages();
                CountDownLatch handled = new CountDownLatch((int) sent);
                long begin = System.nanoTime();
                consume(client, FIRST, handled);
                TimeUnit.MILLISECONDS.sleep(JOINED_AFTER_MILLIS);
                consume(client, ALL - FIRST, handled);
                boolean complete =
                        handled.await(
                                stage.options().scenarioLimit().toSeconds() / 3, TimeUnit.SECONDS);
                double seconds = (System.nanoTime() - begin) / 1e9;
                stage.add(
                        NAME,
                        "round " + round,
                        new Figures()
                                .with("messages", (double) (sent - handled.getCount()))
                                .with("seconds", complete ? seconds : Double.NaN)
                                .with("shared evenly", sent * MESSAGE_MILLIS / 1e3 / ALL));
            }
        }
    }

    /// Consumers with a connection each.
    private static void consume(Client client, int consumers, CountDownLatch handled)
            throws JMSException {
        for (int i = 0; i < consumers; i++) {
            Connection connection = client.connect();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(QUEUE))
                    .setMessageListener(_ -> handle(handled));
            connection.start();
        }
    }

    private static void handle(CountDownLatch handled) {
        try {
            TimeUnit.MILLISECONDS.sleep(MESSAGE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handled.countDown();
    }
}
