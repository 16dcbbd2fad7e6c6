package winnow.tests.queues;

import jakarta.jms.Connection;
import java.time.Duration;

/// Persistent messages to a topic with one durable subscription and with many, which nobody
/// receives from meanwhile, and draining them.
final class Durables implements QueueScenario {
    static final String NAME = "durable subscriptions";
    private static final String TOPIC = "durable";
    private static final int PRODUCERS = 10;
    private static final long MOST = 50_000;

    @Override
    public void run(Stage stage) throws Exception {
        int many = stage.options().durables();
        long sent = publish(stage, 0, 1);
        sent += publish(stage, 1, many);
        try (Client client = stage.client()) {
            QueueWindow window = new QueueWindow();
            Connection connection = new Receivers(client).ofDurables(TOPIC, many, window);
            Drain drain =
                    Drain.of(
                            connection::start,
                            window,
                            sent,
                            stage.gauge(),
                            stage.options().scenarioLimit().dividedBy(4));
            stage.add(NAME, "drain of " + many, drain.figures());
        }
    }

    /// @return copies that wait more
    private static long publish(Stage stage, int existing, int subscriptions) throws Exception {
        try (Client client = stage.client()) {
            new Receivers(client).makeDurables(TOPIC, existing, subscriptions);
            QueueWindow nobody = new QueueWindow();
            SendPlan plan = SendPlan.publish(TOPIC, PRODUCERS, MOST);
            Senders warm = new Senders(client, plan, null);
            Thread.sleep(stage.options().warmUp());
            warm.stop();
            Flow flow =
                    Flow.measure(
                            client,
                            plan,
                            nobody,
                            false,
                            stage.gauge(),
                            Duration.ZERO,
                            stage.options().interval());
            stage.add(NAME, subscriptions + " subscribed", flow.figures());
            return subscriptions * (warm.sent() + flow.sent());
        }
    }
}
