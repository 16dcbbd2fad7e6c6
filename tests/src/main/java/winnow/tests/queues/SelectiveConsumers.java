package winnow.tests.queues;

import java.time.Duration;

/// A queue with many consumers, each with a selector for another value, and what messages cost that
/// wait there and that none of them takes: for the messages that the consumers do take, and for
/// those of a plain queue beside.
final class SelectiveConsumers implements Scenario {
    static final String NAME = "selective consumers";
    private static final String QUEUE = "selective";
    private static final String PLAIN = "beside";

    @Override
    public void run(Stage stage) throws Exception {
        int consumers = stage.options().selective();
        try (Client client = stage.client()) {
            FlightWindow plain = new FlightWindow();
            FlightWindow selective = new FlightWindow();
            new Receivers(client).ofQueue(PLAIN, 1, plain);
            new Receivers(client).selective(QUEUE, consumers, selective);
            Duration again = stage.options().warmUp();
            SendPlan ordinary = SendPlan.flow(PLAIN, 1, false);
            Flow beside = flow(stage, ordinary, plain, stage.options().firstWarmUp());
            stage.add(NAME, "queue beside, no backlog", beside.figures());
            SendPlan through = SendPlan.flow(QUEUE, 1, false).to(consumers);
            Flow taken = flow(stage, through, selective, again);
            stage.add(NAME, "through the selectors, no backlog", taken.figures());
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
            Flow later = flow(stage, ordinary, plain, again);
            stage.add(NAME, "queue beside, backlog", with(later, beside));
            stage.add(
                    NAME,
                    "through the selectors, backlog",
                    with(flow(stage, through, selective, again), taken));
        }
    }

    private static Flow flow(Stage stage, SendPlan plan, FlightWindow window, Duration warmUp)
            throws Exception {
        try (Client senders = stage.client()) {
            return Flow.measure(
                    senders, plan, window, true, stage.gauge(), warmUp, stage.options().interval());
        }
    }

    private static Figures with(Flow backlog, Flow none) {
        return backlog.figures()
                .with("rate ratio", backlog.sentPerSecond() / none.sentPerSecond())
                .with("cpu ratio", backlog.cpuMicros() / none.cpuMicros());
    }
}
