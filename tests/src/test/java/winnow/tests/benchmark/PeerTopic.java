package winnow.tests.benchmark;

import java.util.ArrayList;
import java.util.List;
import winnow.tests.selector.Peer;

/// A topic as a peer has it: all selectors are tried for each message, which is in the peer's own
/// form already.
final class PeerTopic<M> {

    private final List<M> messages;
    private final List<Peer.Parsed<M>> selectors;
    private int next;

    PeerTopic(Peer<M> peer, Workload workload) {
        try {
            messages = workload.messages().stream().map(peer::message).toList();
            selectors = new ArrayList<>();
            for (String selector : workload.selectors()) {
                selectors.add(peer.parse(selector));
            }
        } catch (Exception e) {
            throw new IllegalStateException(peer.name() + " refused a selector", e);
        }
        SelectorBenchmark.settleHeap();
    }

    /// Counts the matches of the next message.
    int match() throws Exception {
        M message = messages.get(next++ & messages.size() - 1);
        int matches = 0;
        for (Peer.Parsed<M> selector : selectors) {
            matches += selector.matches(message) ? 1 : 0;
        }
        return matches;
    }
}
