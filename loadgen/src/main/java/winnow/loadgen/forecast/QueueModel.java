package winnow.loadgen.forecast;

/// Model of the wait for a broker. The text form is for people.
public enum QueueModel {

    /// An event loop takes all that waits: a message costs c + a/N ([BatchServer]).
    BATCH("batches, c + a/N"),

    /// A server takes one message after the other ([SingleServer]).
    SINGLE("M/GI/1");

    private final String text;

    QueueModel(String text) {
        this.text = text;
    }

    /// The one that fits: batches where an iteration takes longer than a message. Below that the
    /// batches are small, and how the messages differ is what counts.
    static QueueModel of(Costs costs, Load load) {
        return iterationSeconds(costs) > load.service(costs).first() ? BATCH : SINGLE;
    }

    /// Seconds that an iteration with one publisher takes.
    static double iterationSeconds(Costs costs) {
        return costs.iterationSeconds() + costs.readSeconds();
    }

    QueueServer server(Costs costs, Load load) {
        var service = load.service(costs);
        return switch (this) {
            case BATCH ->
                    new BatchServer(
                            costs.iterationSeconds(),
                            costs.readSeconds(),
                            costs.wakeSeconds(),
                            service.first(),
                            load.publishers(),
                            load.clump());
            case SINGLE -> new SingleServer(service, load.clump());
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
