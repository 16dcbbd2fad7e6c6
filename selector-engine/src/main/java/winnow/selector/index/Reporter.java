package winnow.selector.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import winnow.selector.Slots;

/// Describes selectors for people. Writer only.
final class Reporter {

    private final FormulaText text;

    Reporter(Slots slots) {
        this.text = new FormulaText(slots);
    }

    SelectorReport report(Node<?> node) {
        Formula formula = node.formula();
        List<Term> keys = List.of(node.keys());
        List<SelectorReport.Rejected> rejected = new ArrayList<>();
        reject(formula, keys, rejected);
        return new SelectorReport(
                text.of(formula),
                node.size(),
                access(node),
                keys.stream().map(this::key).toList(),
                rejected,
                component(formula),
                null);
    }

    private static SelectorReport.Access access(Node<?> node) {
        if (node.formula().equals(Formula.AllOf.ALWAYS)) {
            return SelectorReport.Access.EVERYTHING;
        }
        if (node.keys().length == 0) {
            return SelectorReport.Access.NOTHING;
        }
        for (Term key : node.keys()) {
            if (key.kind() == Plan.Kind.SCAN) {
                return SelectorReport.Access.SCANNED;
            }
        }
        return node.isExact() ? SelectorReport.Access.EXACT : SelectorReport.Access.RESIDUAL;
    }

    private SelectorReport.Key key(Term term) {
        return new SelectorReport.Key(term.kind(), text.of(term), null);
    }

    /// The operands of each AND whose keys are not the node's.
    private void reject(Formula formula, List<Term> keys, List<SelectorReport.Rejected> rejected) {
        switch (formula) {
            case Term _ -> {}
            case Formula.AnyOf any ->
                    any.operands().forEach(operand -> reject(operand, keys, rejected));
            case Formula.AllOf all -> {
                for (Formula operand : all.operands()) {
                    AccessKeys unused = AccessKeys.of(operand);
                    if (Set.copyOf(keys).containsAll(unused.terms())) {
                        reject(operand, keys, rejected);
                    } else {
                        rejected.add(rejected(operand, unused));
                    }
                }
            }
        }
    }

    private SelectorReport.Rejected rejected(Formula operand, AccessKeys keys) {
        boolean scanned = keys.terms().stream().anyMatch(key -> key.kind() == Plan.Kind.SCAN);
        return new SelectorReport.Rejected(
                text.of(operand),
                null,
                scanned
                        ? "no value finds it, it would be tested for each message"
                        : "taken to be true for more messages");
    }

    private SelectorReport.Component component(Formula formula) {
        return new SelectorReport.Component(
                text.of(formula),
                null,
                null,
                operands(formula).stream().map(this::component).toList());
    }

    private static List<Formula> operands(Formula formula) {
        return switch (formula) {
            case Formula.AllOf all -> all.operands();
            case Formula.AnyOf any -> any.operands();
            case Term _ -> List.of();
        };
    }
}
