package winnow.tests.benchmark.rows;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// A structure with the selectors of a workload, to be measured. Used by one thread.
@FunctionalInterface
public interface Evaluator {

    /// @param message number of it
    /// @param sink is called with the number of each selector that is true
    void match(int message, IntConsumer sink);

    /// The numbers of the selectors that are true, in their order.
    default int[] answer(int message) {
        IntStream.Builder found = IntStream.builder();
        match(message, found::add);
        return found.build().sorted().toArray();
    }

    /// @throws IllegalStateException if the answers differ
    default void compare(int message, Evaluator reference) {
        int[] answer = answer(message);
        int[] expected = reference.answer(message);
        if (!Arrays.equals(answer, expected)) {
            throw new IllegalStateException(
                    "message %d: expected %d selectors to be true, found %d"
                            .formatted(message, expected.length, answer.length));
        }
    }

    /// The fastest structure whose classes of values are fixed, with each message as numbers.
    static Evaluator fixed(Workload workload) {
        return fixed(workload, StaticStructure.of(workload));
    }

    /// @param structure of the workload
    static Evaluator fixed(Workload workload, StaticStructure structure) {
        return (message, sink) -> structure.match(workload.messages().get(message).values(), sink);
    }
}
