package winnow.tests.benchmark.rows;

import java.util.List;
import java.util.stream.IntStream;
import winnow.tests.benchmark.rows.Row.Generated;

/// Selectors and the messages that meet them.
///
/// @param row that they are made by
/// @param selectors in the order in which they are added
/// @param messages [Row#MESSAGES] of them
public record Workload(Row row, List<Generated> selectors, List<Message> messages) {

    /// The same for the same number of selectors.
    public static Workload of(Row row, int count) {
        return new Workload(row, row.selectors(count), row.messages(count));
    }

    public int count() {
        return selectors.size();
    }

    /// The selectors as a user writes them.
    public List<String> texts() {
        return selectors.stream().map(Generated::selector).toList();
    }

    /// The heap that the texts of all selectors take.
    long textBytes() {
        return selectors.stream().mapToLong(selector -> Heap.bytesOf(selector.selector())).sum();
    }

    /// Numbers of the messages whose values have the types that the selectors ask for.
    public IntStream plainMessages() {
        return IntStream.range(0, messages.size())
                .filter(message -> messages.get(message).isPlain());
    }
}
