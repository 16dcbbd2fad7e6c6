package winnow.selector.index.term;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import winnow.selector.compile.NumberBounds;
import winnow.selector.expression.And;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.In;
import winnow.selector.expression.Or;

/// Turns a canonical condition into a formula, some terms at a time: a selector of 64 KiB has
/// thousands, of which each costs about a microsecond. Writer only.
public final class FormulaBuilder {

    private final Terms terms;
    private final Condition condition;

    /// The leaves of the condition, and the terms of the first of them. The bounds of one name are
    /// one leaf.
    private final List<Condition> leaves = new ArrayList<>();

    private final List<Term> ofLeaves;

    /// The operands of each AND, in the order in which they are met, with bounds joined.
    private final List<List<Condition>> joined = new ArrayList<>(1);

    /// Values that are left of the IN that comes next, and the terms of those before.
    private Iterator<Condition> values = List.<Condition>of().iterator();

    private List<SharedTerm> ofValues = List.of();
    private boolean inValues;

    /// @param condition in canonical form
    public FormulaBuilder(Terms terms, Condition condition) {
        this.terms = terms;
        this.condition = condition;
        collectLeaves(condition);
        ofLeaves = new ArrayList<>(leaves.size());
    }

    private void collectLeaves(Condition part) {
        switch (part) {
            // Most are comparisons, to which a switch over all kinds comes last.
            case Comparison comparison -> leaves.add(comparison);
            case And and -> {
                List<Condition> operands = NumberBounds.joined(and.operands());
                joined.add(operands);
                for (Condition operand : operands) {
                    if (operand instanceof And) {
                        leaves.add(operand);
                    } else {
                        collectLeaves(operand);
                    }
                }
            }
            case Or or -> or.operands().forEach(this::collectLeaves);
            case BooleanLiteral _ -> {}
            default -> leaves.add(part);
        }
    }

    public boolean isComplete() {
        return ofLeaves.size() == leaves.size();
    }

    /// Finds or makes one term.
    public void step() {
        Condition leaf = leaves.get(ofLeaves.size());
        if (inValues) {
            if (values.hasNext()) {
                ofValues.add((SharedTerm) terms.acquire(values.next()));
            } else {
                ofLeaves.add(terms.acquireUnion((In) leaf, ofValues));
                ofValues = List.of();
                inValues = false;
            }
        } else if (leaf instanceof In in && !terms.knows(in)) {
            values = Terms.alternatives(in).iterator();
            ofValues = new ArrayList<>();
            inValues = true;
        } else {
            ofLeaves.add(terms.acquire(leaf));
        }
    }

    /// The formula that is true exactly if the condition is TRUE. It holds one use of each of its
    /// terms. To be asked for once.
    public Formula formula() {
        while (!isComplete()) {
            step();
        }
        return formula(condition, joined.iterator(), ofLeaves.iterator());
    }

    private static Formula formula(
            Condition part, Iterator<List<Condition>> joined, Iterator<Term> terms) {
        return switch (part) {
            case And _ -> allOf(joined.next(), joined, terms);
            case Or or -> {
                List<Formula> formulas = new ArrayList<>(or.operands().size());
                for (Condition operand : or.operands()) {
                    formulas.add(formula(operand, joined, terms));
                }
                yield new Formula.AnyOf(formulas);
            }
            case BooleanLiteral literal ->
                    literal.value() ? Formula.AllOf.ALWAYS : Formula.AnyOf.NEVER;
            default -> terms.next();
        };
    }

    private static Formula allOf(
            List<Condition> operands, Iterator<List<Condition>> joined, Iterator<Term> terms) {
        List<Formula> formulas = new ArrayList<>(operands.size());
        for (Condition operand : operands) {
            formulas.add(operand instanceof And ? terms.next() : formula(operand, joined, terms));
        }
        return formulas.size() == 1 ? formulas.getFirst() : new Formula.AllOf(formulas);
    }

    /// Gives back what was acquired.
    public void abandon() {
        ofValues.forEach(terms::release);
        ofLeaves.forEach(terms::release);
        ofValues = List.of();
        ofLeaves.clear();
    }
}
