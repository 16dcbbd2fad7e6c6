package winnow.loadgen.workload;

import java.util.List;
import java.util.stream.IntStream;

/// One combination that is measured: who sends which ids and who filters on which. Immutable.
///
/// Subscribers are numbered from 0. Ids are numbers here and `#number` in messages and filters.
///
/// @param filter what the subscribers filter on
/// @param sending which ids are sent
/// @param publishers how many publishers, each with its own connection
/// @param matching subscribers that one message reaches: r in the paper
/// @param others further subscribers, whose filters do not match the message: n in section 4.9
/// @param crowd how the others are set up
/// @param use fitted or predicted
public record Point(
        FilterKind filter,
        Sending sending,
        int publishers,
        int matching,
        int others,
        Crowd crowd,
        PointUse use) {

    public Point {
        if (publishers < 1 || matching < 0 || others < 0) {
            throw new IllegalArgumentException(
                    "expected publishers >= 1, matching >= 0, others >= 0, found %d, %d, %d"
                            .formatted(publishers, matching, others));
        }
        if (filter == FilterKind.NONE && others > 0) {
            throw new IllegalArgumentException("without filters every subscriber matches");
        }
        if (sending == Sending.ROUND_ROBIN && (matching != 1 || filter == FilterKind.NONE)) {
            throw new IllegalArgumentException("round robin needs filters and matching = 1");
        }
    }

    /// With others that are separate.
    public Point(
            FilterKind filter,
            Sending sending,
            int publishers,
            int matching,
            int others,
            PointUse use) {
        this(filter, sending, publishers, matching, others, Crowd.SEPARATE, use);
    }

    /// All subscribers, matching or not.
    public int subscribers() {
        return matching + others;
    }

    /// Subscribers that get messages: the first ones.
    public int receivers() {
        return sending == Sending.ONE_ID ? matching : subscribers();
    }

    /// n_fltr of the model: one per subscriber, or none.
    public int installedFilters() {
        return filter == FilterKind.NONE ? 0 : subscribers();
    }

    /// The ids that each publisher sends in turn.
    public List<Integer> sentIds() {
        return switch (sending) {
            case ONE_ID -> List.of(0);
            case ROUND_ROBIN -> IntStream.rangeClosed(1, subscribers()).boxed().toList();
        };
    }

    /// The id on which a subscriber filters; without filters that of all messages.
    public int subscribedId(int subscriber) {
        return switch (sending) {
            case ONE_ID -> {
                var other = Math.max(0, subscriber - matching + 1);
                yield crowd.identicalFilters() ? Math.min(1, other) : other;
            }
            case ROUND_ROBIN -> subscriber + 1;
        };
    }

    /// For progress lines and messages.
    public String label() {
        return switch (filter) {
            case NONE -> "publishers=%d subscribers=%d".formatted(publishers, matching);
            case CORRELATION_ID, PROPERTY, AND_FIRST, AND_MIDDLE, AND_LAST, OR ->
                    "r=%d n=%d publishers=%d".formatted(matching, others, publishers);
        };
    }
}
