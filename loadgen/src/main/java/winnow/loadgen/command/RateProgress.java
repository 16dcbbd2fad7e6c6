package winnow.loadgen.command;

import java.io.FileNotFoundException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.rate.RateListener;
import winnow.loadgen.rate.RateLoad;
import winnow.loadgen.rate.RateResult;
import winnow.loadgen.rate.RateRun;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// Shows how a run goes on, and writes its latencies to a log of histograms. Owned by the thread of
/// the command.
final class RateProgress implements RateListener, AutoCloseable {

    private static final Duration LINE_INTERVAL = Duration.ofSeconds(5);
    private static final Duration CAPACITY_WARMUP = Duration.ofSeconds(3);
    private static final Duration CAPACITY_TIME = Duration.ofSeconds(5);

    private final PrintStream errors;
    private final @Nullable HistogramLogWriter log;
    private final long beginMillis = System.currentTimeMillis();
    private final long begin = System.nanoTime();
    private long intervalMillis = beginMillis;
    private long lineNanos = begin;

    /// @param errors gets a line now and then
    /// @param directory gets the log; made if it is missing, null for no log
    /// @throws LoadException if the log cannot be written
    RateProgress(PrintStream errors, @Nullable Path directory) throws LoadException {
        this.errors = errors;
        this.log = directory == null ? null : log(directory);
    }

    private HistogramLogWriter log(Path directory) throws LoadException {
        LoadSession.make(directory);
        var file = directory.resolve("latency.hlog");
        try {
            var writer = new HistogramLogWriter(file.toFile());
            writer.outputComment("[Latency from the time at which a message was due, nanoseconds]");
            writer.outputLogFormatVersion();
            writer.outputStartTime(beginMillis);
            writer.setBaseTime(beginMillis);
            writer.outputLegend();
            return writer;
        } catch (FileNotFoundException failed) {
            throw new LoadException("cannot write " + file, failed);
        }
    }

    /// Measures how many messages a second the broker takes at most.
    static double capacity(RateLoad load, Provider provider, PrintStream errors)
            throws LoadException, InterruptedException {
        errors.println("measuring the capacity...");
        var result =
                RateRun.saturated(
                        load.lasting(CAPACITY_WARMUP, CAPACITY_TIME),
                        provider,
                        RateListener.warningsTo(errors::println));
        if (result.refused() > 0) {
            throw new LoadException(
                    "cannot measure the capacity: the broker refused messages: "
                            + result.refusal());
        }
        // What is sent and waits for slow subscribers is no capacity.
        var capacity =
                Math.min(
                        result.sentPerSecond(),
                        result.arrivedInTime() / (double) CAPACITY_TIME.toSeconds());
        errors.printf(Locale.ROOT, "capacity: %,.0f messages a second%n", capacity);
        return capacity;
    }

    @Override
    public void onInterval(Histogram latencyNanos, long sent, long received) {
        var now = System.currentTimeMillis();
        if (log != null) {
            latencyNanos.setStartTimeStamp(intervalMillis);
            latencyNanos.setEndTimeStamp(now);
            log.outputIntervalHistogram(latencyNanos);
        }
        intervalMillis = now;
        if (System.nanoTime() - lineNanos >= LINE_INTERVAL.toNanos()) {
            lineNanos = System.nanoTime();
            errors.printf(
                    Locale.ROOT,
                    "%,d s: sent %,d, received %,d, p99 %,.2f ms%n",
                    TimeUnit.NANOSECONDS.toSeconds(lineNanos - begin),
                    sent,
                    received,
                    latencyNanos.getValueAtPercentile(99) / 1e6);
        }
    }

    /// Shows a run of a pair.
    void show(int pair, String name, RateResult run) {
        errors.printf(
                Locale.ROOT,
                "pair %d, %-9s  received %,.0f/s  p50 %s ms  p99 %s ms%s%n",
                pair,
                name,
                run.receivedPerSecond(),
                RateText.millis(run.latency().p50Micros()),
                RateText.millis(run.latency().p99Micros()),
                run.voidReason().isEmpty() ? "" : "  void: " + run.voidReason());
    }

    @Override
    public void onWarning(String text) {
        errors.println("WARN " + ReceivedText.visible(text));
    }

    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
    }
}
