package winnow.loadgen.command;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.mix.MixRun;
import winnow.loadgen.option.ConnectOptions;
import winnow.loadgen.option.ShortDuration;

/// `winnow load mix`: a bit of everything at a bounded rate, for dashboards and demonstrations.
@Command(
        name = "mix",
        description = {
            "Publishes and consumes a bit of everything, as something to show for dashboards.",
            "Four topics and a queue, selectors of every cost class, many and no copies of a"
                    + " message, a consumer that falls behind and catches up, clients that come"
                    + " and go, refused selectors."
        },
        sortOptions = false,
        footer = {
            "",
            "Runs until Ctrl-C, SIGTERM or the end of --duration, then ends with 0; with 1 if the"
                    + " broker is not there, refuses or closes a connection, or nothing was"
                    + " delivered. While the slow consumer is behind, a broker with"
                    + " destination.slow-consumers=*=block holds its producer back.",
            "",
            "Example: winnow load mix --rate 5000 --duration 10m"
        })
final class MixCommand implements Callable<Integer> {
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);
    private static final long CLOSE_SECONDS = 5;

    @Spec private @Nullable CommandSpec spec;

    @Mixin private final ConnectOptions connect = new ConnectOptions();

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Messages per second, of all destinations; default: ${DEFAULT-VALUE}.")
    private double rate = 2000;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "End after so long, for example 90s; default: run until stopped.")
    private @Nullable Duration duration;

    @Override
    public Integer call() throws Exception {
        var command = Objects.requireNonNull(spec).commandLine();
        if (rate <= 0 || (duration != null && !duration.isPositive())) {
            throw new ParameterException(command, "expected --rate > 0 and --duration > 0");
        }
        var ended = new CountDownLatch(1);
        try (var run = new MixRun(connect.provider(), rate)) {
            endAtSignal(run, ended);
            report(run);
            if (run.failure().isPresent()) {
                throw run.failure().get();
            }
            return run.received() > 0 ? 0 : 1;
        } finally {
            ended.countDown();
        }
    }

    /// Prints a line now and then until the run or its time is over.
    private void report(MixRun run) throws InterruptedException {
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        var start = System.nanoTime();
        err.printf("publishing %,.0f messages a second; Ctrl-C ends%n", rate);
        err.flush();
        var over = false;
        while (!over) {
            over = run.await(next(start)) || left(start).isZero();
            err.printf(
                    "%,d s: published %,d, received %,d%n",
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                    run.published(),
                    run.received());
            err.flush();
        }
    }

    private Duration next(long start) {
        var left = left(start);
        return left.compareTo(REPORT_INTERVAL) < 0 ? left : REPORT_INTERVAL;
    }

    private Duration left(long start) {
        if (duration == null) {
            return REPORT_INTERVAL;
        }
        var left = duration.minusNanos(System.nanoTime() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /// A signal ends the run as it should end, with exit code 0: containers are stopped so.
    private static void endAtSignal(MixRun run, CountDownLatch ended) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    if (ended.getCount() > 0 && run.failure().isEmpty()) {
                                        run.stop();
                                        awaitEnd(ended);
                                        Runtime.getRuntime().halt(0);
                                    }
                                },
                                "stop mix"));
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            var _ = ended.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
