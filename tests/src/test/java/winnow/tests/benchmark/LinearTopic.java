package winnow.tests.benchmark;

import java.util.List;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// A topic whose selectors are all tried for each message.
final class LinearTopic {

    private static final int MESSAGES_TO_SETTLE = 100_000;

    private final Slots slots = new Slots(1);
    private final SlotValues values = new SlotValues();
    private final WireMessage.Reader reader = new WireMessage.Reader();
    private final WireMessage[] messages;
    private final Matcher[] matchers;
    private int next;

    LinearTopic(Workload workload) {
        messages = workload.messages().stream().map(reader::message).toArray(WireMessage[]::new);
        List<String> selectors = workload.selectors();
        matchers = new Matcher[selectors.size()];
        for (int i = 0; i < matchers.length; i++) {
            matchers[i] = Selector.parse(selectors.get(i)).bind(slots);
        }
        reader.prepare(slots);
        SelectorBenchmark.settleHeap();
    }

    /// Decodes the next message and counts its matches.
    int match() {
        decode();
        return evaluate();
    }

    void decode() {
        reader.read(messages[next++ & messages.length - 1], slots, values);
    }

    /// What the broker does about once a second.
    void tune() {
        for (Matcher matcher : matchers) {
            matcher.tune();
        }
    }

    /// Sends enough messages for orders and classes to be found, and leaves one decoded that is not
    /// sampled, as 255 of 256 are not.
    void settle() {
        for (int i = 0; i < MESSAGES_TO_SETTLE; i++) {
            match();
        }
        tune();
        do {
            decode();
        } while (values.isSampled());
    }

    /// Counts the matches of the message that was decoded last.
    int evaluate() {
        int matches = 0;
        values.lookUpStrings();
        for (Matcher matcher : matchers) {
            matches += matcher.matches(values) ? 1 : 0;
        }
        return matches;
    }
}
