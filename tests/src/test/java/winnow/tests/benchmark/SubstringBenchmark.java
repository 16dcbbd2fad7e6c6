package winnow.tests.benchmark;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// As [MarketBenchmark], but 1 % of the selectors look for a word in a text. Ours includes the
/// decoding of the message; the peers have their messages ready.
@NullUnmarked // JMH sets the fields.
public class SubstringBenchmark extends SelectorBenchmark {

    @State(Scope.Benchmark)
    public static class Index {
        @Param({"10000", "100000", "1000000"})
        public int n;

        private IndexedTopic topic;

        @Setup
        public void setUp() {
            topic = new IndexedTopic(Workloads.market(n, 1));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @State(Scope.Benchmark)
    public static class Linear {
        @Param("10000")
        public int n;

        private LinearTopic topic;

        @Setup
        public void setUp() {
            topic = new LinearTopic(Workloads.market(n, 1));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @State(Scope.Benchmark)
    public static class Peers {
        @Param("10000")
        public int n;

        @Param public PeerName peer;

        private PeerTopic<?> topic;

        @Setup
        public void setUp() {
            topic = peer.topic(Workloads.market(n, 1));
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
