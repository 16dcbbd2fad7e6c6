package winnow.tests.benchmark;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import winnow.selector.slot.SlotValues;

/// From the bytes of a message with ten properties to slots, for selectors that name seven.
@NullUnmarked // JMH sets the fields.
public class DecodeBenchmark extends SelectorBenchmark {

    @State(Scope.Benchmark)
    public static class Index {
        private IndexedTopic topic;

        @Setup
        public void setUp() {
            topic = new IndexedTopic(Workloads.market(10_000, 0));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @Benchmark
    public SlotValues decode(Index state) {
        state.topic.decode();
        return state.topic.values;
    }
}
