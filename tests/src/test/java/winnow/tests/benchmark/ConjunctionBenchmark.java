package winnow.tests.benchmark;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// Ten filters of 25 components each (the paper's 4.8), of which the first, the middle, the last or
/// none rejects: one evaluation of one filter, and with the index one message with all ten and its
/// decoding.
@NullUnmarked // JMH sets the fields.
public class ConjunctionBenchmark extends SelectorBenchmark {

    private static final int FILTERS = 10;

    @State(Scope.Benchmark)
    public static class Rejection {
        @Param({"0", "12", "24", "-1"})
        public int rejecting;
    }

    @State(Scope.Benchmark)
    public static class Index {
        private IndexedTopic topic;

        @Setup
        public void setUp(Rejection rejection) {
            topic = new IndexedTopic(Workloads.conjunctions(rejection.rejecting));
        }

        @Setup(Level.Iteration)
        public void tune() {
            topic.tune();
        }
    }

    @State(Scope.Benchmark)
    public static class Linear {
        private LinearTopic topic;

        @Setup
        public void setUp(Rejection rejection) {
            topic = new LinearTopic(Workloads.conjunctions(rejection.rejecting));
        }

        @Setup(Level.Iteration)
        public void settle() {
            topic.settle();
        }
    }

    @State(Scope.Benchmark)
    public static class Peers {
        @Param public PeerName peer;

        private PeerTopic<?> topic;

        @Setup
        public void setUp(Rejection rejection) {
            topic = peer.topic(Workloads.conjunctions(rejection.rejecting));
        }
    }

    @Benchmark
    public int indexedMessage(Index state) {
        return state.topic.match();
    }

    @Benchmark
    @OperationsPerInvocation(FILTERS)
    public int linear(Linear state) {
        return state.topic.evaluate();
    }

    @Benchmark
    @OperationsPerInvocation(FILTERS)
    public int peer(Peers state) throws Exception {
        return state.topic.match();
    }
}
