package winnow.tests.queues;

import java.time.Duration;

/// Persistent messages whose senders wait for the disk, through a queue to one consumer that
/// acknowledges.
final class SyncedSends implements QueueScenario {
    static final String NAME = "synced sends";

    @Override
    public void run(Stage stage) throws Exception {
        Duration warmUp = stage.options().firstWarmUp();
        for (int producers : stage.options().producers()) {
            String queue = "synced." + producers;
            try (Client client = stage.client()) {
                QueueWindow window = new QueueWindow();
                new Receivers(client).ofQueue(queue, 1, window);
                Flow flow =
                        Flow.measure(
                                client,
                                SendPlan.flow(queue, producers, true),
                                window,
                                true,
                                stage.gauge(),
                                warmUp,
                                stage.options().interval());
                stage.add(NAME, point(producers), flow.figures());
            }
            warmUp = stage.options().warmUp();
        }
    }

    /// The name of a point.
    static String point(int producers) {
        return producers + (producers == 1 ? " producer" : " producers");
    }
}
