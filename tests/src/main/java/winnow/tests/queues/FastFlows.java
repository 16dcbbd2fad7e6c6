package winnow.tests.queues;

import java.time.Duration;

/// Messages that are not persistent, through a queue: one pair of producer and consumer, and four.
final class FastFlows implements QueueScenario {
    static final String NAME = "not persistent";

    /// Pairs of the points.
    static final int[] PAIRS = {1, 4};

    @Override
    public void run(Stage stage) throws Exception {
        Duration warmUp = stage.options().firstWarmUp();
        for (int pairs : PAIRS) {
            String queue = "fast." + pairs;
            try (Client client = stage.client()) {
                QueueWindow window = new QueueWindow();
                new Receivers(client).ofQueue(queue, pairs, window);
                Flow flow =
                        Flow.measure(
                                client,
                                SendPlan.flow(queue, pairs, false),
                                window,
                                true,
                                stage.gauge(),
                                warmUp,
                                stage.options().interval());
                stage.add(NAME, point(pairs), flow.figures());
            }
            warmUp = stage.options().warmUp();
        }
    }

    /// The name of a point.
    static String point(int pairs) {
        return pairs + " + " + pairs;
    }
}
