package winnow.tests.benchmark;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// One evaluation, when a thousand different selectors of nine shapes are evaluated one after the
/// other.
@NullUnmarked // JMH sets the fields.
public class ManyShapesBenchmark extends SelectorBenchmark {

    private static final int SELECTORS = 1_000;

    @State(Scope.Benchmark)
    public static class Linear {

        private LinearTopic topic;

        @Setup
        public void setUp() {
            topic = new LinearTopic(Workloads.manyShapes());
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
            topic = peer.topic(Workloads.manyShapes());
        }
    }

    @Benchmark
    @OperationsPerInvocation(SELECTORS)
    public int linear(Linear state) {
        return state.topic.match();
    }

    @Benchmark
    @OperationsPerInvocation(SELECTORS)
    public int peer(Peers state) throws Exception {
        return state.topic.match();
    }
}
