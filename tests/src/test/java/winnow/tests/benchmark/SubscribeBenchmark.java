package winnow.tests.benchmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import winnow.selector.engine.Selector;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;

/// One parsed selector comes or goes where n others are: with `subscribe` and `unsubscribe` always
/// the same, in one order, so that much of what they use is in the caches or lies side by side;
/// with `leave` any, in any order, and with `join` those that left before others did.
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
        final List<SubscriberHandle<Integer>> entries = new ArrayList<>();

        private List<String> texts;
        private List<SubscriberHandle<Integer>> old;
        private final Random random = new Random(5);

        /// Places of old ones that are to leave, and of those that are to join, with their
        /// selectors.
        private List<Integer> leaving = List.of();

        private List<Integer> joining = List.of();
        private List<Selector> ofJoining = List.of();

        /// The newcomers name what the others name, as in a market that goes on.
        @Setup
        public void setUp() {
            if (n < 4 * BATCH) {
                throw new IllegalArgumentException("n = " + n + " is less than " + 4 * BATCH);
            }
            texts = Workloads.market(n, 0).selectors();
            index = new SelectorIndex<>(1);
            old = new ArrayList<>(Collections.nCopies(n, null));
            for (int i = BATCH; i < texts.size(); i++) {
                old.set(i, index.add(Selector.parse(texts.get(i)), 0));
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
            for (SubscriberHandle<Integer> entry : entries) {
                index.remove(entry);
            }
            entries.clear();
        }

        void draw() {
            Set<Integer> absent = Set.copyOf(joining);
            Set<Integer> places = new LinkedHashSet<>();
            while (places.size() < BATCH) {
                int place = BATCH + random.nextInt(n - BATCH);
                if (!absent.contains(place)) {
                    places.add(place);
                }
            }
            leaving = List.copyOf(places);
        }

        void leave() {
            for (int place : leaving) {
                index.remove(old.get(place));
            }
        }

        void join() {
            for (int i = 0; i < joining.size(); i++) {
                old.set(joining.get(i), index.add(ofJoining.get(i), 1));
            }
        }

        /// Those that have left will join in the next iteration.
        void change() {
            joining = leaving;
            ofJoining = joining.stream().map(texts::get).map(Selector::parse).toList();
        }
    }

    @State(Scope.Benchmark)
    public static class Leaving {
        @Setup(Level.Iteration)
        public void setUp(Market market) {
            market.draw();
        }

        @TearDown(Level.Iteration)
        public void tearDown(Market market) {
            market.join();
            market.change();
        }
    }

    @State(Scope.Benchmark)
    public static class Joining {
        @Setup
        public void setUp(Market market) {
            market.draw();
            market.leave();
            market.change();
        }

        @Setup(Level.Iteration)
        public void setUpIteration(Market market) {
            market.draw();
            market.leave();
        }

        @TearDown(Level.Iteration)
        public void tearDown(Market market) {
            market.change();
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
    public void join(Market market, Joining before) {
        market.join();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void leave(Market market, Leaving before) {
        market.leave();
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
