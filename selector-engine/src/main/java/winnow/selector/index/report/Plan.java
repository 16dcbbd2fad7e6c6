package winnow.selector.index.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import winnow.selector.compile.NumberBounds;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.index.api.KeyKind;
import winnow.selector.index.term.AccessKeys;
import winnow.selector.index.term.Formula;
import winnow.selector.index.term.Probes;
import winnow.selector.index.term.Term;
import winnow.selector.index.term.Terms;
import winnow.selector.index.term.UnionTerm;
import winnow.selector.slot.Slots;

/// Way in which an index with nothing else in it would find a selector, for people.
///
/// @param everything whether every message matches, so that there is nothing to find
/// @param keys messages that match have one of these; none if none can match
/// @param exact whether having one is all, so that the selector itself is never evaluated
public record Plan(boolean everything, List<Key> keys, boolean exact) {

    /// @param atom the part of the selector, asked for FALSE if it is under NOT
    /// @param text the condition on the message, as a selector says it
    public record Key(KeyKind kind, Condition atom, String text) {}

    public Plan {
        keys = List.copyOf(keys);
    }

    /// @param canonical in canonical form
    public static Plan of(Condition canonical) {
        Slots slots = new Slots();
        Terms terms = new Terms(slots, new Probes(0));
        Formula formula = terms.formula(canonical);
        if (formula.equals(Formula.AllOf.ALWAYS)) {
            return new Plan(true, List.of(), true);
        }
        AccessKeys keys = AccessKeys.of(formula, Term::cost);
        Map<Term, Key> described = new LinkedHashMap<>();
        describe(canonical, terms, described);
        List<Key> used = new ArrayList<>();
        for (Term term : keys.terms()) {
            Key key = described.get(term.observed());
            if (key != null) {
                used.add(key);
            }
        }
        return new Plan(false, used, keys.exact());
    }

    private static void describe(Condition condition, Terms terms, Map<Term, Key> described) {
        switch (condition) {
            case And(List<Condition> operands) -> {
                for (Condition operand : NumberBounds.joined(operands)) {
                    if (operand instanceof And) {
                        describeLeaf(operand, terms, described);
                    } else {
                        describe(operand, terms, described);
                    }
                }
            }
            case Or(List<Condition> operands) ->
                    operands.forEach(operand -> describe(operand, terms, described));
            case BooleanLiteral _ -> {}
            case Not _, Atom _ -> describeLeaf(condition, terms, described);
        }
    }

    private static void describeLeaf(Condition leaf, Terms terms, Map<Term, Key> described) {
        if (!(terms.formula(leaf) instanceof UnionTerm union)) {
            describe(terms.formula(leaf), leaf, ExpressionPrinter.print(leaf), described);
            return;
        }
        for (Condition alternative : Terms.alternatives(leaf)) {
            Formula term = terms.formula(alternative);
            describe(term, leaf, ExpressionPrinter.print(alternative), described);
        }
        for (Term key : union.keys()) {
            if (!described.containsKey(key.observed())) {
                String name = terms.nameOf(key);
                describe(key, leaf, name + " is present, but not a number", described);
            }
        }
    }

    private static void describe(
            Formula formula, Condition leaf, String text, Map<Term, Key> described) {
        if (formula instanceof Term term) {
            described.put(term, new Key(term.kind(), leaf, text));
        }
    }
}
