package winnow.tests.benchmark.anchors;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import winnow.tests.benchmark.rows.Anchor;
import winnow.tests.benchmark.rows.Evaluator;
import winnow.tests.benchmark.rows.MatchClock;
import winnow.tests.benchmark.rows.Workload;
import winnow.tests.selector.Peer;

/// Another broker's evaluator, which tests each selector for each message.
///
/// @param <M> a message as that broker has it
final class PeerAnchor<M> implements Anchor {
    private static final int COMPARED = 8;

    /// A million take most of a second for one message.
    private static final int MAX_SELECTORS = 100_000;

    private static final long WARM_UP_NANOS = 2_000_000_000L;
    private static final long NANOS = 2_000_000_000L;

    private final Peer<M> peer;

    PeerAnchor(Peer<M> peer) {
        this.peer = peer;
    }

    /// All selectors of a workload.
    private record Topic<M>(List<Peer.Parsed<M>> selectors, List<M> messages) implements Evaluator {

        @Override
        public void match(int message, IntConsumer sink) {
            M tested = messages.get(message);
            for (int i = 0; i < selectors.size(); i++) {
                if (matches(selectors.get(i), tested)) {
                    sink.accept(i);
                }
            }
        }

        private static <M> boolean matches(Peer.Parsed<M> selector, M message) {
            try {
                return selector.matches(message);
            } catch (Exception _) {
                return false;
            }
        }
    }

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public OptionalDouble microsPerMessage(Workload workload, Evaluator reference)
            throws Exception {
        if (workload.count() > MAX_SELECTORS) {
            return OptionalDouble.empty();
        }
        List<Peer.Parsed<M>> selectors = new ArrayList<>();
        for (String selector : workload.texts()) {
            selectors.add(peer.parse(selector));
        }
        List<M> messages =
                workload.messages().stream()
                        .map(message -> peer.message(message.properties()))
                        .toList();
        Topic<M> topic = new Topic<>(selectors, messages);
        // Each broker has rules of its own for values of other types.
        workload.plainMessages().limit(COMPARED).forEach(i -> topic.compare(i, reference));
        MatchClock clock = new MatchClock(topic);
        clock.warmUp(WARM_UP_NANOS, () -> {});
        return OptionalDouble.of(clock.microsPerMessage(NANOS));
    }
}
