package winnow.tests.benchmark;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import winnow.selector.engine.Selector;
import winnow.selector.index.Entry;
import winnow.selector.index.SelectorIndex;

/// One parsed selector comes or goes where n others are.
@NullUnmarked // JMH sets the fields.
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 15)
@Measurement(iterations = 15)
public class SubscribeBenchmark extends SelectorBenchmark {

    private static final int BATCH = 20_000;

    @State(Scope.Benchmark)
    public static class Market {
        @Param("1000000")
        public int n;

        SelectorIndex<Integer> index;
        List<Selector> selectors;
        final List<Entry<Integer>> entries = new ArrayList<>();

        /// The newcomers name what the others name, as in a market that goes on.
        @Setup
        public void setUp() {
            List<String> texts = Workloads.market(n, 0).selectors();
            index = new SelectorIndex<>(1);
            for (int i = BATCH; i < texts.size(); i++) {
                index.add(Selector.parse(texts.get(i)), 0);
            }
            selectors = texts.subList(0, BATCH).stream().map(Selector::parse).toList();
            settleHeap();
        }

        void add() {
            for (Selector selector : selectors) {
                entries.add(index.add(selector, 1));
            }
        }

        void remove() {
            for (Entry<Integer> entry : entries) {
                index.remove(entry);
            }
            entries.clear();
        }
    }

    @State(Scope.Benchmark)
    public static class Absent {
        @Setup(Level.Iteration)
        public void setUp(Market market) {
            market.remove();
        }
    }

    @State(Scope.Benchmark)
    public static class Present {
        @Setup(Level.Iteration)
        public void setUp(Market market) {
            market.add();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void subscribe(Market market, Absent before) {
        market.add();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void unsubscribe(Market market, Present before) {
        market.remove();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int parse(Market market) {
        int length = 0;
        for (Selector selector : market.selectors) {
            length += Selector.parse(selector.text()).text().length();
        }
        return length;
    }
}
