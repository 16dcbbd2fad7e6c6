package winnow.selector.index.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.api.SelectorReport;
import winnow.selector.index.learn.HitRates;
import winnow.selector.index.learn.IndexStatistics;
import winnow.selector.index.learn.Tuner;
import winnow.selector.index.node.Blocks;
import winnow.selector.index.node.Cluster;
import winnow.selector.index.node.Node;
import winnow.selector.index.node.NodeStatistics;
import winnow.selector.index.node.NodeVisitor;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.ConstantTerm;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.SharedTerm;
import winnow.selector.index.term.Term;
import winnow.selector.order.Samples;
import winnow.selector.slot.Slots;

/// Describes selectors for people. Writer only.
public final class Reporter {

    private final Slots slots;
    private final FormulaText text;
    private final IndexStatistics statistics;
    private final HitRates rates;
    private final Tuner tuner;

    public Reporter(Slots slots, IndexStatistics statistics, HitRates rates, Tuner tuner) {
        this.slots = slots;
        this.text = new FormulaText(slots);
        this.statistics = statistics;
        this.rates = rates;
        this.tuner = tuner;
    }

    /// A report that somebody asked for and may ask for again, so what is not known yet is counted
    /// from now on.
    public SelectorReport asked(Node<?> node) {
        for (SharedTerm key : node.keys()) {
            rates.want(key);
        }
        node.formula().forEachTerm(rates::want);
        return report(node);
    }

    public SelectorReport report(Node<?> node) {
        Formula formula = node.formula();
        List<SelectorReport.Rejected> rejected = new ArrayList<>();
        reject(formula, node.keySet(), rejected);
        return new SelectorReport(
                text.of(formula),
                node.size(),
                access(node),
                keys(node),
                rejected,
                component(node),
                sampling(node),
                observed(node));
    }

    private static SelectorReport.Access access(Node<?> node) {
        if (node.formula().equals(Formula.AllOf.ALWAYS)) {
            return SelectorReport.Access.EVERYTHING;
        }
        if (node.keys().isEmpty()) {
            return SelectorReport.Access.NOTHING;
        }
        if (node.isScanned()) {
            return SelectorReport.Access.SCANNED;
        }
        return node.isExact() ? SelectorReport.Access.EXACT : SelectorReport.Access.RESIDUAL;
    }

    private static boolean areScanned(List<Term> keys) {
        return keys.stream().anyMatch(key -> key.kind() == KeyKind.SCAN);
    }

    private List<SelectorReport.Key> keys(Node<?> node) {
        List<SelectorReport.Key> keys = new ArrayList<>();
        for (SharedTerm key : node.keys()) {
            List<String> narrowing = narrowing(key, node);
            Double rate = narrowing.isEmpty() ? candidateRate(node) : null;
            keys.add(
                    new SelectorReport.Key(
                            key.kind(),
                            text.of(key),
                            rate == null ? rates.of(key) : rate,
                            rate == null ? rates.messages(key) : window(node),
                            Cluster.size(key),
                            narrowing));
        }
        return keys;
    }

    private List<String> narrowing(SharedTerm key, Node<?> node) {
        return key.cluster() instanceof Blocks blocks
                ? blocks.slotsThatNarrow(node).stream().map(slots::nameOf).sorted().toList()
                : List.of();
    }

    /// Rate at which the only key of a node led to it, null if it has several or nothing is known.
    private @Nullable Double candidateRate(Node<?> node) {
        NodeStatistics observed = node.statistics();
        return observed == null || window(node) == 0 || node.keys().size() != 1
                ? null
                : observed.candidateRate(statistics.messages());
    }

    /// Number of sampled messages that the node's statistics count.
    private long window(Node<?> node) {
        NodeStatistics observed = node.statistics();
        return observed == null ? 0 : observed.window(statistics.messages());
    }

    /// The operands of each AND whose keys are not the node's.
    private void reject(
            Formula formula, Set<SharedTerm> keys, List<SelectorReport.Rejected> rejected) {
        switch (formula) {
            case Term _ -> {}
            case Formula.AnyOf any ->
                    any.operands().forEach(operand -> reject(operand, keys, rejected));
            case Formula.AllOf all -> rejectUnused(all.operands(), keys, rejected);
        }
    }

    private void rejectUnused(
            List<Formula> operands, Set<SharedTerm> keys, List<SelectorReport.Rejected> rejected) {
        List<Formula> unused = new ArrayList<>();
        Formula chosen = null;
        for (Formula operand : operands) {
            if (!likelyKeys(operand).areFoundBy(keys)) {
                unused.add(operand);
            } else {
                reject(operand, keys, rejected);
                if (chosen == null || likelyKeys(operand).cost() < likelyKeys(chosen).cost()) {
                    chosen = operand;
                }
            }
        }
        for (Formula operand : unused) {
            rejected.add(rejected(operand, chosen));
        }
    }

    private AccessKeys likelyKeys(Formula formula) {
        return AccessKeys.of(formula, rates::likelyCost);
    }

    /// @param chosen the operand that the keys are of, null if that cannot be told
    private SelectorReport.Rejected rejected(Formula operand, @Nullable Formula chosen) {
        Double rate = operand instanceof Term term ? rates.of(term) : null;
        int messages = operand instanceof Term term ? rates.messages(term) : 0;
        return new SelectorReport.Rejected(
                text.of(operand), rate, messages, reason(operand, rate, chosen));
    }

    private String reason(Formula operand, @Nullable Double rate, @Nullable Formula chosen) {
        AccessKeys unused = likelyKeys(operand);
        if (areScanned(unused.terms())) {
            boolean whole = unused.terms().size() == 1;
            return whole
                    ? "no value finds it, it would be tested for each message"
                    : "no value finds all of it, a part would be tested for each message";
        }
        if (rate != null) {
            return "not four times as rare as the key";
        }
        if (chosen == null || unused.cost() < likelyKeys(chosen).cost()) {
            return "not counted yet, and its estimate was worse when the key was chosen";
        }
        return "not counted yet, assumed to be as common as %s or more%s"
                .formatted(text.of(chosen), few(operand));
    }

    /// Assumption of [ConstantTerm#cost] about few constants, in words; empty if it makes none.
    private String few(Formula operand) {
        if (statistics.messages() > 0 || !(operand instanceof ConstantTerm constant)) {
            return "";
        }
        int values = constant.probe.constantCount();
        return ", because selectors compare %s with only %d %s"
                .formatted(
                        slots.nameOf(constant.probe.slot()),
                        values,
                        values == 1 ? "string" : "strings");
    }

    private SelectorReport.Component component(Node<?> node) {
        NodeStatistics observed = node.statistics();
        Samples<Formula, NodeVisitor> samples = observed == null ? null : observed.samples();
        if (observed == null || samples == null || observed.candidates() == 0) {
            return component(node.formula());
        }
        return new SelectorReport.Component(
                text.of(node.formula()),
                (double) observed.matches() / observed.candidates(),
                samples.samples() == 0 ? null : samples.nanos(),
                components(samples.operands()));
    }

    private List<SelectorReport.Component> components(List<Samples.Operand<Formula>> operands) {
        return operands.stream()
                .map(operand ->
                        new SelectorReport.Component(
                                text.of(operand.formula()),
                                operand.passRate(),
                                operand.nanos(),
                                components(operand.operands())))
                .toList();
    }

    private SelectorReport.Component component(Formula formula) {
        List<Formula> operands =
                formula instanceof Formula.Joined joined ? joined.operands() : List.of();
        return new SelectorReport.Component(
                text.of(formula), null, null, operands.stream().map(this::component).toList());
    }

    private SelectorReport.Sampling sampling(Node<?> node) {
        return new SelectorReport.Sampling(
                statistics.messages(), node.statistics() != null, Tuner.MAX_OBSERVED);
    }

    private SelectorReport.Observed observed(Node<?> node) {
        NodeStatistics observed = node.statistics();
        if (observed == null) {
            return new SelectorReport.Observed(0, 0, 0, 0, 0, false);
        }
        Samples<Formula, NodeVisitor> samples = observed.samples();
        return new SelectorReport.Observed(
                observed.window(statistics.messages()),
                observed.candidates(),
                observed.evaluations(),
                observed.matches(),
                tuner.nanosPerMessage(node),
                samples != null && samples.nanos() > 0);
    }
}
