package winnow.loadgen.forecast;

/// One thread that serves messages, which arrive independently of each other (Poisson), one by one
/// or in clumps. Immutable.
public sealed interface QueueServer permits SingleServer, BatchServer {

    /// Messages per second that it can serve at most.
    double capacityPerSecond();

    /// Share of the time that the thread works.
    ///
    /// @param perSecond messages that arrive, below the capacity
    double busyShare(double perSecond);

    /// Waiting times of messages.
    ///
    /// @param perSecond messages that arrive, below the capacity
    Waiting waiting(double perSecond);

    /// @throws IllegalArgumentException if a rate is not between 0 and the capacity
    static void check(double perSecond, QueueServer server) {
        if (!(perSecond > 0 && perSecond < server.capacityPerSecond())) {
            throw new IllegalArgumentException(
                    "expected a rate above 0 and below the capacity of %.6g/s, found %.6g/s"
                            .formatted(server.capacityPerSecond(), perSecond));
        }
    }
}
