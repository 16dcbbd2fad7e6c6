package winnow.tests.benchmark;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// One message against n filters for other strings and one that matches (the paper's 4.6 and 4.9).
/// Ours includes the decoding of the message; the peers have their messages ready.
@NullUnmarked // JMH sets the fields.
public class EqualityBenchmark extends SelectorBenchmark {

    @State(Scope.Benchmark)
    public static class Index {
        @Param({"5", "160", "10000", "1000000"})
        public int n;

        private IndexedTopic topic;

        @Setup
        public void setUp() {
            topic = new IndexedTopic(Workloads.equality(n));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @State(Scope.Benchmark)
    public static class Linear {
        @Param({"5", "160", "10000"})
        public int n;

        private LinearTopic topic;

        @Setup
        public void setUp() {
            topic = new LinearTopic(Workloads.equality(n));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @State(Scope.Benchmark)
    public static class Peers {
        @Param({"5", "160", "10000"})
        public int n;

        @Param public PeerName peer;

        private PeerTopic<?> topic;

        @Setup
        public void setUp() {
            topic = peer.topic(Workloads.equality(n));
        }
    }

    @Benchmark
    public int indexed(Index state) {
        return state.topic.match();
    }

    @Benchmark
    public int linear(Linear state) {
        return state.topic.match();
    }

    @Benchmark
    public int peer(Peers state) throws Exception {
        return state.topic.match();
    }
}
