package winnow.tests.benchmark.rows;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/// Measures the index against the best that static structures do, with [Row]s of different
/// messages, in one run. Every answer of the first messages is compared. Prints a table.
///
/// Usage: `RowsBenchmark [ROW[,ROW] [COUNT[,COUNT]]]`, names of [Row]s and numbers of selectors.
public final class RowsBenchmark {
    private static final int COMPARED = 512;

    /// So many selectors times messages are compared at most.
    private static final long COMPARED_SELECTORS = 128_000_000;

    private static final int ROUNDS = 5;
    private static final long ROUND_NANOS = 700_000_000L;
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final long TIMES_NANOS = 2_000_000_000L;
    private static final double NEARLY_ALL = 99.9;
    private static final List<String> COLUMNS =
            List.of(
                    "selectors",
                    "n",
                    "matches",
                    "Winnow µs",
                    "static µs",
                    "Winnow ÷ static",
                    "static from values µs",
                    "Winnow ÷ static from values",
                    "candidates",
                    "ns per candidate",
                    "p99.9 µs",
                    "longest µs",
                    "index B",
                    "static B",
                    "floor B",
                    "text B",
                    "add µs",
                    "remove µs");

    private final List<Anchor> anchors;

    /// @param anchors to be measured beside the static structures
    public RowsBenchmark(List<Anchor> anchors) {
        this.anchors = anchors;
    }

    public static void main(String[] arguments) throws Exception {
        new RowsBenchmark(List.of()).run(arguments);
    }

    /// @param arguments names of rows and numbers of selectors, as in [#main]
    public void run(String[] arguments) throws Exception {
        List<String> head = new ArrayList<>(COLUMNS);
        anchors.forEach(anchor -> head.add(anchor.name() + " µs"));
        print(head);
        System.out.println("|---".repeat(head.size()) + "|");
        for (Row row : rows(arguments)) {
            for (int count : counts(arguments, row.usualCounts())) {
                print(measured(Workload.of(row, count)));
            }
        }
    }

    private static void print(List<String> cells) {
        System.out.println("| " + String.join(" | ", cells) + " |");
    }

    /// The rows that the arguments name; all if they name none.
    public static List<Row> rows(String[] arguments) {
        return arguments.length > 0
                ? Arrays.stream(arguments[0].split(",", -1)).map(Row::valueOf).toList()
                : List.of(Row.values());
    }

    /// The numbers of selectors that the arguments name.
    public static int[] counts(String[] arguments, int... usual) {
        return arguments.length > 1
                ? Arrays.stream(arguments[1].split(",", -1)).mapToInt(Integer::parseInt).toArray()
                : usual;
    }

    private List<String> measured(Workload workload) throws Exception {
        long before = Heap.usedBytes();
        StaticStructure structure = StaticStructure.of(workload);
        double staticBytes = (Heap.usedBytes() - before) / (double) workload.count();
        double leastBytes = staticBytes + leastBytesBesides(workload);
        Evaluator fixed = Evaluator.fixed(workload, structure);
        Evaluator fromValues = new StaticFromValues(workload, structure);
        List<String> cells = new ArrayList<>(ofIndex(workload, fixed, fromValues));
        int at = COLUMNS.indexOf("static B");
        cells.add(at, number(staticBytes));
        cells.add(at + 1, number(leastBytes));
        for (Anchor anchor : anchors) {
            OptionalDouble micros = anchor.microsPerMessage(workload, fixed);
            cells.add(micros.isPresent() ? number(micros.getAsDouble()) : "–");
        }
        return cells;
    }

    private static double leastBytesBesides(Workload workload) {
        Integer[] subscribers =
                IntStream.range(0, workload.count()).boxed().toArray(Integer[]::new);
        long before = Heap.usedBytes();
        LeastHeap least = new LeastHeap(workload, subscribers);
        try {
            return (Heap.usedBytes() - before) / (double) workload.count();
        } finally {
            Reference.reachabilityFence(least);
            Reference.reachabilityFence(subscribers);
        }
    }

    private static List<String> ofIndex(Workload workload, Evaluator fixed, Evaluator fromValues) {
        Subject subject = new Subject(workload);
        for (int message = 0; message < compared(workload); message++) {
            subject.compare(message, fixed);
            fromValues.compare(message, fixed);
        }
        MatchClock clock = new MatchClock(subject);
        Floor plain = new Floor(fixed);
        Floor decoded = new Floor(fromValues);
        clock.warmUp(WARM_UP_NANOS, subject::tune);
        double[] micros = new double[ROUNDS];
        subject.startCounting();
        for (int round = 0; round < ROUNDS; round++) {
            subject.tune();
            micros[round] = clock.microsPerMessage(ROUND_NANOS);
            plain.measure(round, micros[round]);
            decoded.measure(round, micros[round]);
        }
        Subject.Counts counts = subject.counts();
        Histogram times = clock.times(TIMES_NANOS);
        Subject.Costs costs = subject.costs();
        double candidates = counts.candidates();
        return List.of(
                workload.row().title,
                String.format(Locale.ROOT, "%,d", workload.count()),
                number(counts.matches()),
                number(median(micros)),
                number(median(plain.micros)),
                number(median(plain.ratios)),
                number(median(decoded.micros)),
                number(median(decoded.ratios)),
                number(candidates),
                candidates == 0 ? "–" : number(median(micros) * 1e3 / candidates),
                number(times.getValueAtPercentile(NEARLY_ALL) / 1e3),
                number(times.getMaxValue() / 1e3),
                number(costs.bytes()),
                number(costs.textBytes()),
                number(costs.addMicros()),
                number(costs.removeMicros()));
    }

    /// What the index is compared with, directly after it in each round.
    private static final class Floor {
        final double[] micros = new double[ROUNDS];

        /// What the index takes, divided by that.
        final double[] ratios = new double[ROUNDS];

        private final MatchClock clock;

        Floor(Evaluator floor) {
            clock = new MatchClock(floor);
            clock.warmUp(WARM_UP_NANOS / 3, () -> {});
        }

        void measure(int round, double microsOfIndex) {
            micros[round] = clock.microsPerMessage(ROUND_NANOS);
            ratios[round] = microsOfIndex / micros[round];
        }
    }

    private static long compared(Workload workload) {
        return Math.min(COMPARED, COMPARED_SELECTORS / workload.count());
    }

    /// With three digits, as far as they are not before the point.
    public static String number(double value) {
        double size = Math.abs(value);
        String form = size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, form, value);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
