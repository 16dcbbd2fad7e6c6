package winnow.loadgen.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.forecast.Costs;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.worker.Provider;

/// Options for the times that a broker's work takes: a known set, a stored fit, or figures.
public final class CostOptions {

    /// Sets that are known.
    enum Known {
        WINNOW_INDEXED,
        WINNOW_LINEAR,
        PAPER_CORRELATION,
        PAPER_PROPERTY;

        Costs costs() {
            return switch (this) {
                case WINNOW_INDEXED -> Costs.WINNOW_INDEXED;
                case WINNOW_LINEAR -> Costs.WINNOW_LINEAR;
                case PAPER_CORRELATION -> Costs.PAPER_CORRELATION;
                case PAPER_PROPERTY -> Costs.PAPER_PROPERTY;
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--costs",
            paramLabel = "NAME",
            defaultValue = "winnow-indexed",
            description =
                    "What the broker's work takes: ${COMPLETION-CANDIDATES}; default:"
                            + " ${DEFAULT-VALUE}.")
    private Known known = Known.WINNOW_INDEXED;

    @Option(
            names = "--fit",
            paramLabel = "FILE",
            description =
                    "Instead of --costs a points.jsonl, which 'winnow load run' or 'winnow demo'"
                            + " has written: the model fitted to it.")
    private @Nullable Path file;

    @Option(
            names = "--fit-run",
            paramLabel = "N",
            description = "Which of several fitted runs of that file, from 1.")
    private @Nullable Integer run;

    @Option(
            names = "--t-rcv",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description = "Time of a message, such as 0.85us, instead of that of --costs.")
    private @Nullable Double receive;

    @Option(
            names = "--t-fltr",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description = "The same of a selector.")
    private @Nullable Double filter;

    @Option(
            names = "--t-tx",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description = "The same of a copy.")
    private @Nullable Double transmit;

    @Option(
            names = "--t-byte",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description = "The same of a byte of a body, received or sent.")
    private @Nullable Double bytes;

    @Option(
            names = "--t-iteration",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description =
                    "The same of an iteration of the event loop, whatever it carries; 0s for a"
                            + " broker that takes one message after the other.")
    private @Nullable Double iteration;

    /// A set of times, and what has to be known about it.
    public record Chosen(Costs costs, List<String> notes) {}

    /// @param warnings get what cannot be read
    /// @throws IllegalArgumentException if options contradict each other
    public Chosen chosen(Consumer<String> warnings) throws LoadException {
        if (file == null && run != null) {
            throw new IllegalArgumentException("expected --fit FILE with --fit-run, found none");
        }
        var chosen =
                file == null ? new Chosen(known.costs(), List.of()) : ofRun(fitted(file, warnings));
        return new Chosen(changed(chosen.costs()), chosen.notes());
    }

    private Costs changed(Costs costs) {
        if (receive == null
                && filter == null
                && transmit == null
                && bytes == null
                && iteration == null) {
            return costs;
        }
        var times = costs.times();
        // A loop that takes one message after the other neither reads nor wakes.
        var isLoop = iteration == null ? costs.iterationSeconds() > 0 : iteration > 0;
        return new Costs(
                costs.name() + ", changed",
                "the command line, and besides: " + costs.source(),
                new ServiceTimes(
                        receive == null ? times.receiveSeconds() : receive,
                        filter == null ? times.filterSeconds() : filter,
                        transmit == null ? times.transmitSeconds() : transmit),
                bytes == null ? costs.byteSeconds() : bytes,
                iteration == null ? costs.iterationSeconds() : iteration,
                isLoop ? costs.readSeconds() : 0,
                isLoop ? costs.wakeSeconds() : 0);
    }

    private RunAnalysis fitted(Path points, Consumer<String> warnings) throws LoadException {
        var fitted = new ArrayList<RunAnalysis>();
        for (var stored : ResultFiles.read(points, warnings)) {
            if (stored.points() > 0) {
                var analysis = RunAnalysis.of(stored);
                if (analysis.fit() != null) {
                    fitted.add(analysis);
                }
            }
        }
        if (fitted.isEmpty()) {
            throw new LoadException(
                    "expected a run whose points tell t_rcv, t_fltr and t_tx apart in "
                            + points
                            + ", found none");
        }
        if (run == null && fitted.size() == 1) {
            return fitted.getFirst();
        }
        if (run == null || run < 1 || run > fitted.size()) {
            var names = new ArrayList<String>();
            fitted.forEach(one -> names.add(names.size() + 1 + " " + name(one)));
            throw new IllegalArgumentException(
                    "expected --fit-run 1 to %d, found %s; %s has %s"
                            .formatted(
                                    fitted.size(),
                                    run == null ? "none" : run,
                                    points,
                                    String.join(", ", names)));
        }
        return fitted.get(run - 1);
    }

    private static String name(RunAnalysis analysis) {
        var matching = analysis.run().matching();
        var title = analysis.run().header().title();
        return matching == null ? title : title + ", matched " + matching;
    }

    private static Chosen ofRun(RunAnalysis analysis) {
        var header = analysis.run().header();
        var times = Objects.requireNonNull(analysis.fit()).times();
        var source =
                "fit of the run of %s, %s, by the broker's %s"
                        .formatted(
                                header.started(),
                                name(analysis),
                                analysis.run().brokerCpuKnown() ? "processor time" : "throughput");
        var isWinnow = header.provider().equals(Provider.WINNOW_FACTORY);
        var notes = new ArrayList<String>();
        notes.add(
                "The fit is of saturated runs, which make larger batches than paced load does:"
                        + " plan with 20 % less. It is of messages as large as those of its run.");
        var quality = Objects.requireNonNull(analysis.fit()).quality();
        if (quality == null || quality.filter().containsZero()) {
            notes.add(
                    "The run does not tell t_fltr from zero, so what many selectors take may be"
                            + " noise: --t-fltr 0s plans without it.");
        }
        if (isWinnow) {
            notes.add("Iteration, read and wake-up: " + Costs.WINNOW_INDEXED.source() + ".");
        }
        var costs =
                isWinnow
                        ? Costs.ofWinnow("fit", source, times, 0)
                        : Costs.ofSingleServer("fit", source, times);
        return new Chosen(costs, notes);
    }
}
