package winnow.tests.benchmark;

import java.util.List;
import winnow.selector.engine.Selector;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.MatchSink;
import winnow.selector.slot.SlotValues;

/// A topic whose selectors are indexed, with messages as they come from the wire.
final class IndexedTopic {

    private static final int TUNINGS = 10;
    private static final int SELECTORS_PER_TUNING = 64;

    final SelectorIndex<Integer> index = new SelectorIndex<>(1);
    final SlotValues values = new SlotValues();
    private final MatchScratch matching = new MatchScratch();
    private final WireMessage.Reader reader = new WireMessage.Reader();
    private final List<WireMessage> messages;
    private int next;
    private int matches;
    private final MatchSink<Integer> sink = subscriber -> matches++;

    IndexedTopic(Workload workload) {
        messages = workload.messages().stream().map(reader::message).toList();
        for (String selector : workload.selectors()) {
            index.add(Selector.parse(selector), 0);
        }
        reader.prepare(index.slots());
        SelectorBenchmark.settleHeap();
        long found = 0;
        for (int i = 0; i < messages.size(); i++) {
            found += match();
        }
        System.out.printf(
                "# %d selectors, %.1f candidates and %.1f matches per message%n",
                index.size(),
                (double) matching.candidates() / messages.size(),
                (double) found / messages.size());
    }

    /// Decodes the next message and finds its matches.
    int match() {
        decode();
        matches = 0;
        index.match(values, matching, sink);
        return matches;
    }

    /// What the broker does ten times a second.
    void tune() {
        for (int i = 0; i < TUNINGS; i++) {
            index.tune(SELECTORS_PER_TUNING);
        }
    }

    /// Decodes the next message.
    void decode() {
        reader.read(messages.get(next++ & messages.size() - 1), index.slots(), values);
    }
}
