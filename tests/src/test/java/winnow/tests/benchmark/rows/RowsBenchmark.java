package winnow.tests.benchmark.rows;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import winnow.tests.benchmark.rows.Row.Generated;

/// Measures the index against the best that static structures do, with [Row]s of different
/// messages, in one run. Every answer of the first messages is compared. Prints a table.
///
/// Usage: `RowsBenchmark [ROW[,ROW] [COUNT[,COUNT]]]`, names of [Row]s and numbers of selectors.
public final class RowsBenchmark {
    private static final int COMPARED = 512;
    private static final int ROUNDS = 5;
    private static final long ROUND_NANOS = 700_000_000L;
    private static final long WARM_UP_NANOS = 3_000_000_000L;

    private RowsBenchmark() {}

    /// A structure to be measured.
    @FunctionalInterface
    private interface Matching {
        /// @param message number of it
        void match(int message, IntConsumer sink);
    }

    public static void main(String[] arguments) {
        List<Row> rows =
                arguments.length > 0
                        ? Arrays.stream(arguments[0].split(",", -1)).map(Row::valueOf).toList()
                        : List.of(Row.values());
        int[] counts =
                arguments.length > 1
                        ? Arrays.stream(arguments[1].split(",", -1))
                                .mapToInt(Integer::parseInt)
                                .toArray()
                        : new int[] {10_000, 100_000, 1_000_000};
        System.out.println(
                "| selectors | n | matches | µs | static µs | ratio | candidates | ns per candidate"
                        + " | longest µs | B per selector | add µs | remove µs |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Row row : rows) {
            for (int count : counts) {
                measure(row, count);
            }
        }
    }

    private static void measure(Row row, int count) {
        List<Generated> selectors = row.selectors(count);
        List<@Nullable Integer[]> messages = row.messages(count);
        Subject subject = new Subject(row, selectors, messages);
        Matching indexed = (message, _) -> subject.match(message);
        Matching anchor = anchor(row, selectors, messages);
        compare(subject, anchor);

        Clock ours = new Clock(indexed);
        Clock theirs = new Clock(anchor);
        ours.warmUp(subject::tune);
        theirs.warmUp(() -> {});
        subject.startCounting();
        double[] ratios = new double[ROUNDS];
        double[] our = new double[ROUNDS];
        double[] their = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            subject.tune();
            our[round] = ours.microsPerMessage();
            their[round] = theirs.microsPerMessage();
            ratios[round] = our[round] / their[round];
        }
        Subject.Counts counts = subject.counts();
        double micros = median(our);
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %.1f | %.2f | %.2f | %.2f | %.1f | %.1f | %.0f | %.0f"
                        + " | %.2f | %.2f |%n",
                row.title,
                count,
                counts.matches(),
                micros,
                median(their),
                median(ratios),
                counts.candidates(),
                counts.candidates() == 0 ? 0 : micros * 1e3 / counts.candidates(),
                ours.longestMicros(),
                subject.bytesPerSelector(),
                subject.addMicros(),
                subject.removeMicros());
    }

    private static Matching anchor(
            Row row, List<Generated> selectors, List<@Nullable Integer[]> messages) {
        if (row == Row.SYMBOL_AND_RANGE) {
            SortedColumns columns = new SortedColumns(selectors);
            return (message, sink) -> columns.match(messages.get(message), sink);
        }
        StaticBitmaps bitmaps = new StaticBitmaps(selectors, messages, row);
        return (message, sink) -> bitmaps.match(messages.get(message), sink);
    }

    /// @throws IllegalStateException if they differ
    private static void compare(Subject subject, Matching anchor) {
        for (int message = 0; message < COMPARED; message++) {
            IntStream.Builder found = IntStream.builder();
            anchor.match(message, found::add);
            int[] theirs = found.build().sorted().toArray();
            int[] ours = subject.matchesOf(message);
            if (!Arrays.equals(ours, theirs)) {
                throw new IllegalStateException(
                        "message %d: expected %d matches as the static structure, found %d"
                                .formatted(message, theirs.length, ours.length));
            }
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /// Measures one structure with one message after the other.
    private static final class Clock {
        private final Matching matching;
        private int next;
        private long found;
        private long longest;

        Clock(Matching matching) {
            this.matching = matching;
        }

        /// @param between called now and then, as the broker would
        void warmUp(Runnable between) {
            long end = System.nanoTime() + WARM_UP_NANOS;
            while (System.nanoTime() < end) {
                run(System.nanoTime() + 100_000_000L);
                between.run();
            }
            longest = 0;
        }

        double microsPerMessage() {
            long start = System.nanoTime();
            int messages = run(start + ROUND_NANOS);
            return (System.nanoTime() - start) / 1e3 / messages;
        }

        private int run(long end) {
            int messages = 0;
            long before = System.nanoTime();
            do {
                matching.match(next, _ -> found++);
                next = (next + 1) & (Row.MESSAGES - 1);
                messages++;
                long now = System.nanoTime();
                longest = Math.max(longest, now - before);
                before = now;
            } while (before < end);
            return messages;
        }

        double longestMicros() {
            return longest / 1e3;
        }
    }
}
