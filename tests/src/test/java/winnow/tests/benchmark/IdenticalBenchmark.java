package winnow.tests.benchmark;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// One message against 160 subscribers with the same filter, which matches: one evaluation and 160
/// calls.
@NullUnmarked // JMH sets the fields.
public class IdenticalBenchmark extends SelectorBenchmark {

    private static final int SUBSCRIBERS = 160;

    @State(Scope.Benchmark)
    public static class Index {
        private IndexedTopic topic;

        @Setup
        public void setUp() {
            topic = new IndexedTopic(Workloads.identical(SUBSCRIBERS));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @State(Scope.Benchmark)
    public static class Peers {
        @Param public PeerName peer;

        private PeerTopic<?> topic;

        @Setup
        public void setUp() {
            topic = peer.topic(Workloads.identical(SUBSCRIBERS));
        }
    }

    @Benchmark
    public int indexed(Index state) {
        return state.topic.match();
    }

    @Benchmark
    public int peer(Peers state) throws Exception {
        return state.topic.match();
    }
}
