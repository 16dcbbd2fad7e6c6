package winnow.broker.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.matching.SelectorInfo;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.MatchCounters;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;
import winnow.selector.explain.Explanation;
import winnow.selector.explain.Warning;
import winnow.selector.index.api.SelectorReport;

/// Says how the selector of a subscription is found, what it costs and whether it pays.
/// Thread-safe.
final class Explanations {
    /// With so many, the pass rate is right within 0.1 in 95 of 100 cases.
    static final int MIN_SAMPLES = 100;

    private final BrokerCounters counters;

    Explanations(BrokerCounters counters) {
        this.counters = counters;
    }

    /// @param selector as the client gave it, empty if there is none
    /// @param correlationIdFilter as the client gave it, empty if there is none
    /// @param explanation what can be said without messages; null if there is no selector
    /// @param report what the topic's index saw; null without an index
    record Answer(
            String topic,
            String matching,
            int subscription,
            String client,
            String selector,
            String correlationIdFilter,
            @Nullable Static explanation,
            @Nullable SelectorReport report,
            @Nullable Cost cost) {}

    /// Facts about a selector that need no messages.
    ///
    /// @param formula in terms of T(x), "x is TRUE", and F(x), "x is FALSE"
    record Static(String canonical, String formula, List<String> advice, List<Caution> warnings) {
        static Static of(Selector selector) {
            Explanation explanation = Explanation.of(selector);
            return new Static(
                    explanation.simplified(),
                    explanation.formula(),
                    explanation.advice(),
                    explanation.warnings().stream().map(Caution::of).toList());
        }
    }

    /// @param part of the selector that it is about
    record Caution(String kind, String part, String text) {
        static Caution of(Warning warning) {
            return new Caution(warning.kind().toString(), warning.atom(), warning.message());
        }
    }

    /// Verdict on whether a selector costs the broker less than the copies that it saves. In the
    /// model of the FioranoMQ throughput paper (equation 1) it adds t_fltr and takes (1 - p) * t_tx
    /// away, so it pays if p < 1 - t_fltr / t_tx.
    ///
    /// @param filterNanos t_fltr: what the selector costs per message of the topic
    /// @param measured whether t_fltr was measured; otherwise it is assumed by the selector's form
    /// @param transmitNanos t_tx: what a copy costs, mean of recent copies of the broker
    /// @param samples messages that the pass rate is known from
    /// @param neededSamples so many there must be for a verdict; 0 if there is never one
    /// @param passRate p: part of the topic's messages that match, 0 to 1; null without an index,
    ///   which is what observes it
    /// @param pays null if the pass rate is, or if there are too few samples
    record Cost(
            double filterNanos,
            boolean measured,
            double transmitNanos,
            long samples,
            int neededSamples,
            @Nullable Double passRate,
            @Nullable Boolean pays) {
        static Cost of(SelectorReport.Observed observed, double transmitNanos) {
            long samples = observed.sampledMessages();
            double filterNanos = observed.nanosPerMessage();
            double passRate = (double) observed.matches() / samples;
            Boolean pays =
                    samples < MIN_SAMPLES ? null : passRate < 1 - filterNanos / transmitNanos;
            return new Cost(
                    filterNanos,
                    observed.measured(),
                    transmitNanos,
                    samples,
                    MIN_SAMPLES,
                    passRate,
                    pays);
        }
    }

    Answer of(Topic topic, SelectorInfo info) {
        Selector selector = info.filter().parse(SelectorLimits.ACCEPTED);
        return new Answer(
                topic.name(),
                topic.matching(),
                info.subscription().id(),
                info.subscription().client(),
                info.filter().selector(),
                info.filter().correlationIdFilter(),
                selector == null ? null : Static.of(selector),
                info.report(),
                selector == null ? null : cost(topic, info.report()));
    }

    /// Null as long as nothing was observed, or no copy was sent.
    private @Nullable Cost cost(Topic topic, @Nullable SelectorReport report) {
        double transmitNanos = counters.transmitNanos();
        if (transmitNanos == 0) {
            return null;
        }
        if (report == null) {
            MatchCounters all = topic.matchCounters();
            long evaluations = all.evaluations.sum();
            return evaluations == 0
                    ? null
                    : new Cost(
                            (double) all.nanos.sum() / evaluations,
                            true,
                            transmitNanos,
                            0,
                            0,
                            null,
                            null);
        }
        SelectorReport.Observed observed = report.observed();
        if (observed == null || observed.sampledMessages() == 0) {
            return null;
        }
        return Cost.of(observed, transmitNanos);
    }
}
