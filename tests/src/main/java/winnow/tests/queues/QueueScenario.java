package winnow.tests.queues;

/// The points of one table, measured with one broker that has just been started.
@FunctionalInterface
interface QueueScenario {

    /// @throws Exception whatever has gone wrong; rows that were added stay
    void run(Stage stage) throws Exception;

    /// @throws IllegalArgumentException if the name is none
    static QueueScenario of(String name) {
        return switch (name) {
            case "synced" -> new SyncedSends();
            case "fast" -> new FastFlows();
            case "backlog" -> new QueueBacklog();
            case "durable" -> new Durables();
            case "selective" -> new SelectiveConsumers();
            case "late" -> new LateConsumers();
            default ->
                    throw new IllegalArgumentException(
                            "expected a scenario of synced, fast, backlog, durable, selective,"
                                    + " late, found "
                                    + name);
        };
    }
}
