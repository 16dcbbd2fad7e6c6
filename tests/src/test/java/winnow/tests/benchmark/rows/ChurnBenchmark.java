package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import winnow.selector.index.SelectorIndex;

/// Measures how fast selectors come and go beside threads that match messages, and checks the
/// answers that these get. Prints a table; exits with 1 if an answer was wrong.
///
/// Usage: `ChurnBenchmark [ROW[,ROW] [COUNT[,COUNT]]]`, names of [Row]s and numbers of selectors.
public final class ChurnBenchmark {
    private static final int[] READERS = {1, 2};
    private static final int MAX_CHANGING = 100_000;
    private static final double NEARLY_ALL = 99.99;
    private static final long WARM_UP_NANOS = 6_000_000_000L;
    private static final long SPEED_NANOS = 3_000_000_000L;
    private static final long TIMES_NANOS = 2_000_000_000L;

    private ChurnBenchmark() {}

    /// @param parsed speed of changes with selectors that were parsed just before
    /// @param kept speed of changes with selectors that are anywhere in memory
    /// @param times of single changes
    /// @param moves of selectors to better keys
    /// @param seconds that the readers matched
    /// @param readers what they did
    private record Outcome(
            ChangeRate.Speed parsed,
            ChangeRate.Speed kept,
            ChurnWriter.Times times,
            long moves,
            double seconds,
            List<ChurnReader.Result> readers) {

        long wrong() {
            return readers.stream().mapToLong(ChurnReader.Result::wrong).sum();
        }

        long checked() {
            return readers.stream().mapToLong(ChurnReader.Result::checked).sum();
        }

        double messagesPerSecond() {
            return readers.stream().mapToLong(ChurnReader.Result::messages).sum() / seconds;
        }
    }

    /// @param parsed changes per second, as above
    /// @param kept changes per second, as above
    private record Floor(double parsed, double kept) {}

    public static void main(String[] arguments) throws Exception {
        System.out.println(
                "| selectors | n | matching threads | changes/s | changes per processor second"
                        + " | floor changes/s | kept: changes/s | kept: floor changes/s"
                        + " | p99.99 change µs | worst add µs | worst remove µs"
                        + " | moves | messages/s | answers checked | wrong |");
        System.out.println("|---".repeat(15) + "|");
        long wrong = 0;
        for (Row row : RowsBenchmark.rows(arguments)) {
            for (int count : RowsBenchmark.counts(arguments, 100_000)) {
                int changing = Math.min(count, MAX_CHANGING);
                Workload workload = Workload.of(row, count + changing / 2);
                Floor floor = floor(workload, changing);
                List<int[]> reference = ChurnReader.reference(workload);
                for (int readers : READERS) {
                    Outcome outcome = measured(workload, changing, readers, reference);
                    print(row, count, readers, floor, outcome);
                    wrong += outcome.wrong();
                }
            }
        }
        System.exit(wrong == 0 ? 0 : 1);
    }

    /// Beside one thread that matches, but for the warm-up. Nothing of it is left when the index is
    /// measured.
    private static Floor floor(Workload workload, int changing) {
        ChurnFloor floor = new ChurnFloor(workload, workload.count() - changing);
        ChangeRate rate = new ChangeRate(floor, new SplittableRandom(2));
        rate.measure(ChangeRate.Source.KEPT, WARM_UP_NANOS, () -> {});
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<?> reader = executor.submit(floor::match);
            rate.measure(ChangeRate.Source.KEPT, WARM_UP_NANOS, () -> {});
            ChangeRate.Speed kept = rate.measure(ChangeRate.Source.KEPT, SPEED_NANOS, () -> {});
            ChangeRate.Speed parsed = rate.measure(ChangeRate.Source.PARSED, SPEED_NANOS, () -> {});
            reader.cancel(true);
            return new Floor(parsed.perSecond(), kept.perSecond());
        }
    }

    private static Outcome measured(
            Workload workload, int changing, int readers, List<int[]> reference) throws Exception {
        SelectorIndex<Integer> index = new SelectorIndex<>(1);
        ChurnPopulation population =
                new ChurnPopulation(index, workload, workload.count() - changing);
        ChurnWriter writer = new ChurnWriter(index, population);
        List<ChurnReader> threads = new ArrayList<>();
        List<Future<ChurnReader.Result>> results = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(readers)) {
            long start = System.nanoTime();
            for (int i = 0; i < readers; i++) {
                ChurnReader reader = new ChurnReader(index, population, workload, reference);
                threads.add(reader);
                results.add(executor.submit(reader));
            }
            ChangeRate.Speed parsed;
            ChangeRate.Speed kept;
            ChurnWriter.Times times;
            try {
                writer.times(WARM_UP_NANOS / 2);
                writer.speed(ChangeRate.Source.KEPT, WARM_UP_NANOS / 2);
                kept = writer.speed(ChangeRate.Source.KEPT, SPEED_NANOS);
                parsed = writer.speed(ChangeRate.Source.PARSED, SPEED_NANOS);
                times = writer.times(TIMES_NANOS);
            } finally {
                threads.forEach(ChurnReader::stop);
            }
            List<ChurnReader.Result> done = new ArrayList<>();
            for (Future<ChurnReader.Result> result : results) {
                done.add(result.get());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Outcome(parsed, kept, times, index.moves(), seconds, done);
        }
    }

    private static void print(Row row, int count, int readers, Floor floor, Outcome outcome) {
        ChurnWriter.Times times = outcome.times();
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %d | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f"
                        + " | %s | %s | %s | %,d | %,.0f | %,d | %,d |%n",
                row.title,
                count,
                readers,
                outcome.parsed().perSecond(),
                outcome.parsed().perProcessorSecond(),
                floor.parsed(),
                outcome.kept().perSecond(),
                floor.kept(),
                RowsBenchmark.number(times.nanos().getValueAtPercentile(NEARLY_ALL) / 1e3),
                RowsBenchmark.number(times.add().nanos() / 1e3),
                RowsBenchmark.number(times.remove().nanos() / 1e3),
                outcome.moves(),
                outcome.messagesPerSecond(),
                outcome.checked(),
                outcome.wrong());
        explain("worst add", times.add());
        explain("worst remove", times.remove());
        outcome.readers().stream()
                .filter(reader -> reader.firstWrong() != null)
                .forEach(reader -> System.err.println("WRONG: " + reader.firstWrong()));
    }

    /// On the other stream, so that the table stays one.
    private static void explain(String what, ChurnWriter.Worst worst) {
        System.err.printf(
                Locale.ROOT,
                "%s: %s µs, %,d selectors there, %s%n",
                what,
                RowsBenchmark.number(worst.nanos() / 1e3),
                worst.size(),
                worst.selector());
    }
}
