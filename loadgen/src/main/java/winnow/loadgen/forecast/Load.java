package winnow.loadgen.forecast;

/// Selectors and messages of a broker. Immutable.
///
/// @param selectors n_fltr: filters that are installed
/// @param grade copies of a message
/// @param bodyBytes of each message
/// @param publishers who send to one event loop
/// @param clump mean number of messages that arrive at the same time, which is geometric; 1 if each
///   arrives by itself
public record Load(
        double selectors, ReplicationGrade grade, int bodyBytes, int publishers, double clump) {

    private static final int LARGEST_CLUMP = 20;

    public Load {
        if (!(selectors >= 0) || Double.isInfinite(selectors)) {
            throw new IllegalArgumentException(
                    "expected a number of selectors from 0, found " + selectors);
        }
        if (bodyBytes < 0) {
            throw new IllegalArgumentException("expected a size from 0, found " + bodyBytes);
        }
        if (publishers < 1) {
            throw new IllegalArgumentException(
                    "expected at least one publisher, found " + publishers);
        }
        if (!(clump >= 1 && clump <= LARGEST_CLUMP)) {
            throw new IllegalArgumentException(
                    "expected clumps of 1 to %d messages on average, found %s"
                            .formatted(LARGEST_CLUMP, clump));
        }
    }

    /// A load of messages that arrive one by one.
    public Load(double selectors, ReplicationGrade grade, int bodyBytes, int publishers) {
        this(selectors, grade, bodyBytes, publishers, 1);
    }

    /// The load of one of several brokers if the subscribers are spread over them (SSR).
    Load split(int brokers) {
        return new Load(selectors / brokers, grade.split(brokers), bodyBytes, publishers, clump);
    }

    /// Moments of B, the time that one message takes.
    Moments service(Costs costs) {
        var bytes = bodyBytes * costs.byteSeconds();
        var times = costs.times();
        return grade.moments()
                .scaled(
                        times.serviceSeconds(selectors, 0) + bytes,
                        times.transmitSeconds() + bytes);
    }
}
