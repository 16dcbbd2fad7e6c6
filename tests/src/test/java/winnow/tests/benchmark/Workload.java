package winnow.tests.benchmark;

import java.util.List;
import java.util.Map;

/// Selectors and the messages that meet them.
///
/// @param selectors in the order in which they are subscribed
/// @param messages to be sent in turn; a power of two of them
record Workload(List<String> selectors, List<Map<String, Object>> messages) {

    Workload {
        if (Integer.bitCount(messages.size()) != 1) {
            throw new IllegalArgumentException("expected a power of two, found " + messages.size());
        }
    }
}
