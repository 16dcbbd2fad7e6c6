package winnow.tests.queues;

/// A queue in which many messages wait: filling it, restarting the broker in the orderly way and
/// after SIGKILL, the heap that the messages take then, and draining it. Restarts and drain of
/// Winnow are between two measurements of their [BacklogFloor].
final class QueueBacklog implements QueueScenario {
    static final String NAME = "backlog";
    static final String RESTART = "restart";
    static final String DRAIN = "drain";
    private static final String QUEUE = "backlog";

    @Override
    public void run(Stage stage) throws Exception {
        long empty = stage.server().heapBytes();
        Figures first = new Figures().with("seconds", stage.server().startSeconds());
        stage.add(NAME, "start without messages", first);
        Filling filling;
        try (Client client = stage.client()) {
            filling =
                    Filling.of(
                            client,
                            SendPlan.fill(QUEUE, stage.options().backlog()),
                            stage.options().scenarioLimit().dividedBy(3));
        }
        stage.add(
                NAME,
                "fill",
                new Figures()
                        .with("messages", (double) filling.messages())
                        .with("seconds", filling.seconds())
                        .with("msg/s", filling.perSecond())
                        .with("RSS MB end", stage.gauge().residentBytes() / 1e6));
        if (!stage.isWinnow()) {
            drain(stage, filling.messages());
            return;
        }
        try (BacklogFloor floor = new BacklogFloor(stage, filling.messages())) {
            restart(stage, filling.messages(), floor);
            heap(stage, filling.messages(), empty);
            floor.drain("before");
            drain(stage, filling.messages());
            // What the broker cleans up behind a drain is not the floor's.
            stage.server().stop();
            floor.drain("after");
        }
    }

    private static void restart(Stage stage, long messages, BacklogFloor floor) throws Exception {
        stage.server().stop();
        floor.restart("before");
        addStart(stage, RESTART, messages);
        stage.server().kill();
        addStart(stage, "restart after SIGKILL", messages);
        stage.server().kill();
        floor.restart("after");
        stage.start();
    }

    private static void heap(Stage stage, long messages, long empty) throws Exception {
        long heap = stage.server().heapBytes();
        stage.add(
                NAME,
                "heap",
                new Figures()
                        .with("messages", (double) messages)
                        .with("heap MB", heap / 1e6)
                        .with("heap MB empty", empty / 1e6)
                        .with("heap B/msg", (heap - empty) / (double) messages));
    }

    private static void addStart(Stage stage, String point, long messages) throws Exception {
        Server server = stage.start();
        stage.add(
                NAME,
                point,
                new Figures()
                        .with("messages", (double) messages)
                        .with("seconds", server.startSeconds()));
    }

    private static void drain(Stage stage, long messages) throws Exception {
        int consumers = stage.options().drainers();
        try (Client client = stage.client()) {
            QueueWindow window = new QueueWindow();
            Drain drain =
                    Drain.of(
                            () -> new Receivers(client).ofQueue(QUEUE, consumers, window),
                            window,
                            messages,
                            stage.gauge(),
                            stage.options().scenarioLimit().multipliedBy(2).dividedBy(5));
            stage.add(NAME, DRAIN, drain.figures());
        }
    }
}
