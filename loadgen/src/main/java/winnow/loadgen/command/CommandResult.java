package winnow.loadgen.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.Interval;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.report.Finding;
import winnow.loadgen.report.FitSummary;
import winnow.loadgen.report.HtmlReport;
import winnow.loadgen.report.LightLoad;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.FailedPoint;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.Verdict;

/// Output of a command on standard output when it is done: a table for people or one JSON object
/// for programs. Immutable.
///
/// @param fits of the runs that have a model
/// @param conclusions what follows, in sentences
/// @param latency under a light load; null if it was not measured
/// @param points every measurement; null where the object is to be short
/// @param report path of the page; null if it could not be written
@JsonInclude(JsonInclude.Include.NON_NULL)
record CommandResult(
        List<Fit> fits,
        List<String> conclusions,
        @Nullable LatencyFigure latency,
        @Nullable List<Rates> points,
        @Nullable String report) {

    private static final double MICROS = 1e6;
    private static final double PERCENT = 100;

    /// The model of one run. Intervals, error and lack of fit are null if there are too few points
    /// to tell.
    ///
    /// @param matching how the broker says it matched the selectors, null if that is not known
    /// @param worstHeldOutPercent the largest error over points that were not fitted; null without
    /// @param heldOutPoints how many were not fitted
    /// @param heldOutCovered how many of these lie in their 95 % prediction intervals
    /// @param lackOfFit probability of so much lack of fit if the model held; null without
    ///   repetitions
    /// @param widening by how much disturbances have widened the intervals, 1 for not at all
    /// @param points how many were fitted
    /// @param leftOut how many measurements were not, because they are invalid or failed
    /// @param basis of what the parameters are times: `brokerCpu` or, where that is not known,
    ///   `throughput`
    record Fit(
            String filter,
            @Nullable String matching,
            double tRcvMicros,
            double tFltrMicros,
            double tTxMicros,
            @Nullable List<Double> tRcvInterval,
            @Nullable List<Double> tFltrInterval,
            @Nullable List<Double> tTxInterval,
            @Nullable Double meanAbsErrorPercent,
            @Nullable Double lackOfFit,
            @Nullable Double widening,
            @Nullable Double worstHeldOutPercent,
            int heldOutPoints,
            int heldOutCovered,
            int points,
            int leftOut,
            String basis) {

        private static Fit of(RunAnalysis analysis) {
            var fit = Objects.requireNonNull(analysis.fit());
            var times = fit.times();
            var quality = fit.quality();
            var worst = analysis.worstPredictionError();
            return new Fit(
                    analysis.run().header().filter(),
                    analysis.run().matching(),
                    times.receiveSeconds() * MICROS,
                    times.filterSeconds() * MICROS,
                    times.transmitSeconds() * MICROS,
                    quality == null ? null : micros(quality.receive()),
                    quality == null ? null : micros(quality.filter()),
                    quality == null ? null : micros(quality.transmit()),
                    quality == null ? null : quality.meanAbsoluteRelativeError() * PERCENT,
                    quality == null || Double.isNaN(quality.lackOfFit().pValue())
                            ? null
                            : quality.lackOfFit().pValue(),
                    quality == null ? null : quality.widening(),
                    worst.isPresent() ? worst.getAsDouble() * PERCENT : null,
                    analysis.heldOutPoints(),
                    analysis.coveredPoints(),
                    fit.observations(),
                    analysis.run().leftOut().size(),
                    analysis.run().brokerCpuKnown() ? "brokerCpu" : "throughput");
        }

        /// Both ends in microseconds; null if they are not known.
        private static @Nullable List<Double> micros(@Nullable Interval interval) {
            return interval == null || !Double.isFinite(interval.high())
                    ? null
                    : List.of(interval.low() * MICROS, interval.high() * MICROS);
        }
    }

    /// Latency from the times at which messages were due.
    record LatencyFigure(double ratePerSecond, int filters, double p50Micros, double p99Micros) {

        private static LatencyFigure of(LightLoad light) {
            return new LatencyFigure(
                    light.latency().ratePerSecond(),
                    light.point().installedFilters(),
                    light.latency().p50Micros(),
                    light.latency().p99Micros());
        }
    }

    /// One point. Figures are null if they are unknown; a point that failed may have none.
    ///
    /// @param reasons why its figures may not be used
    record Rates(
            String scenario,
            int publishers,
            int matching,
            int others,
            @Nullable Double receivedPerSecond,
            @Nullable Double dispatchedPerSecond,
            @Nullable Double overallPerSecond,
            @Nullable Double brokerMicrosPerReceived,
            @Nullable Double brokerMicrosPerMessage,
            @Nullable Double clientMicrosPerMessage,
            Verdict.Status verdict,
            List<String> reasons) {

        private static Rates of(Run run, FailedPoint failed) {
            var point = failed.point();
            return new Rates(
                    run.header().scenario(),
                    point.publishers(),
                    point.matching(),
                    point.others(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    Verdict.Status.FAILED,
                    List.of(failed.reason()));
        }

        private static Rates of(Run run, Measurement measurement) {
            var point = measurement.point();
            var verdict = run.verdict(measurement);
            return new Rates(
                    run.header().scenario(),
                    point.publishers(),
                    point.matching(),
                    point.others(),
                    measurement.receivedPerSecond(),
                    measurement.dispatchedPerSecond(),
                    measurement.overallPerSecond(),
                    known(measurement.brokerMicrosPerReceived()),
                    known(measurement.brokerMicrosPerMessage()),
                    known(OptionalDouble.of(measurement.clientMicrosPerMessage())),
                    verdict.status(),
                    verdict.reasons());
        }
    }

    /// The models alone.
    static CommandResult ofFits(List<RunAnalysis> analyses, @Nullable LightLoad light) {
        var fits = analyses.stream().filter(analysis -> analysis.fit() != null).map(Fit::of);
        return new CommandResult(
                fits.toList(),
                Finding.of(analyses, light).text().lines().toList(),
                light == null ? null : LatencyFigure.of(light),
                null,
                null);
    }

    /// The models and all points.
    static CommandResult ofPoints(List<RunAnalysis> analyses) {
        var points =
                analyses.stream()
                        .map(RunAnalysis::run)
                        .flatMap(run ->
                                Stream.concat(
                                        run.measurements().stream().map(it -> Rates.of(run, it)),
                                        run.failures().stream().map(it -> Rates.of(run, it))))
                        .toList();
        var fits = ofFits(analyses, null);
        return new CommandResult(fits.fits, fits.conclusions, null, points, null);
    }

    /// @throws LoadException if points failed or none of a run counts: how many, and why the first
    static void failIfPointsFailed(List<RunAnalysis> analyses) throws LoadException {
        var failed = 0;
        var points = 0;
        for (var analysis : analyses) {
            failed += analysis.run().failedPoints();
            points += analysis.run().slots();
        }
        if (failed > 0) {
            var first =
                    analyses.stream()
                            .flatMap(analysis -> analysis.run().leftOut().stream())
                            .filter(line -> line.startsWith(Verdict.Status.FAILED.label()))
                            .findFirst()
                            .orElseThrow();
            throw new LoadException(
                    "%d of %d points failed, the first: %s".formatted(failed, points, first));
        }
        for (var analysis : analyses) {
            if (analysis.run().valid().isEmpty()) {
                throw new LoadException(
                        "none of the points of %s counts, the first: %s"
                                .formatted(
                                        analysis.run().header().scenario(),
                                        analysis.run().leftOut().getFirst()));
            }
        }
    }

    /// Writes the page, and prints the object or its table even if that fails.
    ///
    /// @param light how long messages took under a light load; null if that was not measured
    /// @param directories where the points are, as `points.csv` and `points.jsonl`
    void publish(
            Path page,
            List<Path> directories,
            OutputFormat format,
            List<RunAnalysis> analyses,
            @Nullable LightLoad light,
            PrintWriter out)
            throws LoadException, JsonProcessingException {
        var data =
                directories.stream()
                        .flatMap(directory ->
                                Stream.of("points.csv", "points.jsonl").map(directory::resolve))
                        .toList();
        try {
            HtmlReport.write(analyses, light, page, data);
        } catch (LoadException unwritten) {
            print(format, analyses, light, out);
            throw unwritten;
        }
        new CommandResult(fits, conclusions, latency, points, page.toAbsolutePath().toString())
                .print(format, analyses, light, out);
    }

    private void print(
            OutputFormat format,
            List<RunAnalysis> analyses,
            @Nullable LightLoad light,
            PrintWriter out)
            throws JsonProcessingException {
        switch (format) {
            case TEXT -> {
                out.print(ReceivedText.visibleLines(FitSummary.text(analyses)));
                out.print(ReceivedText.visibleLines(Finding.of(analyses, light).text()));
                if (report != null) {
                    out.println("report: " + Path.of(report).toUri());
                }
            }
            case JSON ->
                    out.println(ReceivedText.visible(new ObjectMapper().writeValueAsString(this)));
        }
        out.flush();
    }

    private static @Nullable Double known(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? value.getAsDouble()
                : null;
    }
}
