package winnow.tests.queues;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;

/// A queue with many consumers, each with a selector for another value, and what messages cost that
/// wait there and that none of them takes: for the messages that the consumers do take, and for
/// those of a plain queue beside. Both flows are measured before, with and after the backlog, so
/// that a machine that becomes slower meanwhile does not look like a cost of the backlog.
final class SelectiveConsumers implements QueueScenario {
    static final String NAME = "selective consumers";
    private static final String QUEUE = "selective";
    private static final String PLAIN = "beside";
    private static final long SILENCE_MILLIS = 3_000;

    @Override
    public void run(Stage stage) throws Exception {
        try (Client client = stage.client()) {
            Flows flows = new Flows(stage, client);
            Pair before = flows.measure(stage.options().firstWarmUp());
            before.add(stage, "no backlog");
            for (int round = 0; round < stage.options().rounds(); round++) {
                fill(stage, client);
                Pair with = flows.measure(stage.options().warmUp());
                empty(client);
                Pair after = flows.measure(stage.options().warmUp());
                with.add(stage, "backlog", before, after);
                after.add(stage, "no backlog again");
                before = after;
            }
        }
    }

    private static void fill(Stage stage, Client client) throws Exception {
        Filling filling =
                Filling.of(
                        client,
                        SendPlan.fill(QUEUE, stage.options().unmatched()),
                        stage.options().scenarioLimit().dividedBy(6));
        stage.add(
                NAME,
                "fill",
                new Figures()
                        .with("msg/s", filling.perSecond())
                        .with("messages", (double) filling.messages()));
    }

    /// Takes all messages out of the queue.
    private static void empty(Client client) throws Exception {
        try (Connection connection = client.connect()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            connection.start();
            while (consumer.receive(SILENCE_MILLIS) != null) {
                // It is only taken out.
            }
        }
    }

    /// The two flows.
    private static final class Flows {
        private final Stage stage;
        private final QueueWindow plain = new QueueWindow();
        private final QueueWindow selective = new QueueWindow();

        Flows(Stage stage, Client client) throws Exception {
            this.stage = stage;
            new Receivers(client).ofQueue(PLAIN, 1, plain);
            new Receivers(client).selective(QUEUE, stage.options().selective(), selective);
        }

        Pair measure(Duration warmUp) throws Exception {
            SendPlan through = SendPlan.flow(QUEUE, 1, false).to(stage.options().selective());
            return new Pair(
                    measure(SendPlan.flow(PLAIN, 1, false), plain, warmUp),
                    measure(through, selective, stage.options().warmUp()));
        }

        private Flow measure(SendPlan plan, QueueWindow window, Duration warmUp) throws Exception {
            try (Client senders = stage.client()) {
                Duration interval = stage.options().interval();
                return Flow.measure(senders, plan, window, true, stage.gauge(), warmUp, interval);
            }
        }
    }

    private record Pair(Flow beside, Flow through) {
        private static final String BESIDE = "queue beside, ";
        private static final String THROUGH = "through the selectors, ";

        void add(Stage stage, String when) {
            stage.add(NAME, BESIDE + when, beside.figures());
            stage.add(NAME, THROUGH + when, through.figures());
        }

        void add(Stage stage, String when, Pair before, Pair after) {
            stage.add(NAME, BESIDE + when, with(beside, before.beside, after.beside));
            stage.add(NAME, THROUGH + when, with(through, before.through, after.through));
        }

        private static Figures with(Flow backlog, Flow before, Flow after) {
            double rate = (before.sentPerSecond() + after.sentPerSecond()) / 2;
            double cpu = (before.cpuMicros() + after.cpuMicros()) / 2;
            return backlog.figures()
                    .with("rate ratio", backlog.sentPerSecond() / rate)
                    .with("cpu ratio", backlog.cpuMicros() / cpu);
        }
    }
}
