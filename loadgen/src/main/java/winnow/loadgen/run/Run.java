package winnow.loadgen.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.workload.Point;

/// All that came out of one scenario. Immutable.
///
/// @param measurements the points that gave figures, whether these may be used or not
/// @param failures the points that gave none
public record Run(RunHeader header, List<Measurement> measurements, List<FailedPoint> failures) {

    /// Less is repeated as long as there is time.
    private static final double WORTH_KEEPING =
            new Disturbance(1 + Disturbance.TO_REPEAT, 1).weight();

    /// Calibrations from which the calm ones can be told.
    private static final int TELLING = 10;

    private record Slot(Point point, int repetition) {}

    public Run {
        measurements = List.copyOf(measurements);
        failures = List.copyOf(failures);
    }

    /// A run in which every point gave figures.
    public Run(RunHeader header, List<Measurement> measurements) {
        this(header, measurements, List.of());
    }

    /// This run and one point more.
    Run with(Measurement measurement) {
        var more = new ArrayList<>(measurements);
        more.add(measurement);
        return new Run(header, more, failures);
    }

    /// This run and one point more that gave no figures.
    Run with(FailedPoint failed) {
        var more = new ArrayList<>(failures);
        more.add(failed);
        return new Run(header, measurements, more);
    }

    /// Verdict on one of its points.
    public Verdict verdict(Measurement measurement) {
        var verdict = Verdict.of(measurement, validity(measurement));
        return measurement.brokerCpuSeconds() == null && brokerCpuKnown()
                ? verdict.but("the broker's CPU time is unknown, unlike that of other points")
                : verdict;
    }

    /// The paper's rules and one of its points.
    public Validity validity(Measurement measurement) {
        return Validity.of(measurement, header, referenceMicros());
    }

    /// CPU time of the fixed piece of work when nothing disturbed it: around the warm-up or, if the
    /// machine was calmer later, in the fastest tenth of this run; null without a calibrator.
    @Nullable Double referenceMicros() {
        var own = new ArrayList<Double>();
        for (var measurement : measurements) {
            measurement.conditions().calibration().ifPresent(own::add);
        }
        var before = header.referenceMicros();
        if (own.size() < TELLING) {
            return before;
        }
        Collections.sort(own);
        var calm = own.get(own.size() / 10);
        return before == null ? calm : Double.valueOf(Math.min(before, calm));
    }

    /// Median of what a CPU second was worth less, as a share of at least 0; empty without a
    /// calibrator.
    public OptionalDouble medianSlowdown() {
        var reference = referenceMicros();
        var slowdowns =
                measurements.stream()
                        .map(Measurement::conditions)
                        .flatMapToDouble(conditions -> conditions.calibration().stream())
                        .sorted()
                        .toArray();
        return reference == null || slowdowns.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, slowdowns[slowdowns.length / 2] / reference - 1));
    }

    /// The measurements that count: of those of one point and repetition the least disturbed one
    /// whose figures may be used.
    public List<Measurement> valid() {
        return chosen().stream().filter(point -> verdict(point).isValid()).toList();
    }

    /// The measurements that others of the same point and repetition have replaced.
    public List<Measurement> replaced() {
        var chosen = Collections.newSetFromMap(new IdentityHashMap<Measurement, Boolean>());
        chosen.addAll(chosen());
        return measurements.stream().filter(point -> !chosen.contains(point)).toList();
    }

    /// One measurement for each point and repetition. A failed one stands: what was lost is lost.
    private List<Measurement> chosen() {
        var slots = new LinkedHashMap<Slot, Measurement>();
        for (var measurement : measurements) {
            slots.merge(
                    new Slot(measurement.point(), measurement.repetition()),
                    measurement,
                    (one, other) -> worth(other) > worth(one) ? other : one);
        }
        return List.copyOf(slots.values());
    }

    private double worth(Measurement measurement) {
        return switch (verdict(measurement).status()) {
            case FAILED -> 2;
            case VALID -> validity(measurement).disturbance().weight();
            case INVALID -> 0;
        };
    }

    private boolean isUndisturbed(Measurement measurement) {
        return validity(measurement).disturbance().share() < Disturbance.TO_REPEAT;
    }

    /// The measurements that are worth repeating, those first that a calmer moment may better, and
    /// of these the worst.
    List<Measurement> repeatable() {
        return chosen().stream()
                .filter(point -> worth(point) < WORTH_KEEPING)
                .sorted(Comparator.comparing(this::isUndisturbed).thenComparingDouble(this::worth))
                .toList();
    }

    /// True if all points have filters of the same kind and cost, so that one model may hold.
    public boolean isOneLoad() {
        return measurements.stream().map(one -> one.point().load()).distinct().limit(2).count()
                <= 1;
    }

    /// True if a message meets all filters that are installed: those of other topics cost it
    /// nothing.
    public boolean isOfOneTopic() {
        return measurements.stream().allMatch(one -> one.point().topics() == 1);
    }

    /// Number of results, with figures or without.
    public int points() {
        return measurements.size() + failures.size();
    }

    /// Number of results without those that were replaced.
    public int slots() {
        var slots = new HashSet<Slot>();
        measurements.forEach(one -> slots.add(new Slot(one.point(), one.repetition())));
        failures.forEach(one -> slots.add(new Slot(one.point(), one.repetition())));
        return slots.size();
    }

    /// True if all was measured that was to be; true if nobody knows how much that is.
    public boolean isComplete() {
        var planned = header.plannedPoints();
        return planned == null || slots() >= planned;
    }

    /// Its filters and how these were matched, if that is known: `property filters, linear`.
    public String name() {
        var filters = header.filter() + " filters";
        var matching = matching();
        return matching == null ? filters : filters + ", " + matching;
    }

    /// A failure of each point and repetition without any figures.
    public List<FailedPoint> withoutFigures() {
        var measured = new HashSet<Slot>();
        measurements.forEach(one -> measured.add(new Slot(one.point(), one.repetition())));
        return failures.stream()
                .filter(one -> measured.add(new Slot(one.point(), one.repetition())))
                .toList();
    }

    /// Number of points that have no figures or wrong ones.
    public int failedPoints() {
        return withoutFigures().size()
                + (int)
                        chosen().stream()
                                .filter(point -> verdict(point).status() == Verdict.Status.FAILED)
                                .count();
    }

    /// A line for each point whose figures may not be used: what it is, and why they may not.
    public List<String> leftOut() {
        var lines = new ArrayList<String>();
        for (var measurement : chosen()) {
            var verdict = verdict(measurement);
            if (!verdict.isValid()) {
                lines.add(line(verdict, measurement.point().label()));
            }
        }
        withoutFigures()
                .forEach(failed -> lines.add(line(Verdict.of(failed), failed.point().label())));
        return lines;
    }

    /// True if the CPU time of the broker is known in the points that count. If it is in none,
    /// service times are those of the measured throughput, by the clock on the wall; else points
    /// without it do not count.
    public boolean brokerCpuKnown() {
        return measurements.isEmpty()
                || measurements.stream().anyMatch(point -> point.brokerCpuSeconds() != null);
    }

    /// Matching of the points' selectors, where the broker said how; null if it never did, or if it
    /// did not always do the same.
    public @Nullable String matching() {
        var modes =
                measurements.stream()
                        .flatMap(measurement -> Stream.ofNullable(measurement.matching()))
                        .distinct()
                        .toList();
        return modes.size() == 1 ? modes.getFirst() : null;
    }

    private static String line(Verdict verdict, String label) {
        return "%s %s: %s".formatted(verdict.status().label(), label, verdict.reason());
    }
}
