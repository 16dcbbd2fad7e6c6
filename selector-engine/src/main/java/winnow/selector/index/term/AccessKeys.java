package winnow.selector.index.term;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Some terms of a formula. For every message for which the formula is true, at least one of them
/// is true. AND needs the keys of one operand, and takes the cheapest; OR needs the keys of all its
/// operands.
///
/// @param terms distinct; none if the formula is never true
/// @param exact whether the formula is true whenever one of the terms is, so that it need not be
///   tested
/// @param cost see [Term#cost]
public record AccessKeys(List<Term> terms, boolean exact, double cost) {

    /// Keys whose costs differ by less are alike, as far as estimates can tell. Of these it takes
    /// those of the lowest slot, so that messages are led to few large clusters instead of many
    /// small ones: with 10,000 selectors of 6 equalities a message takes 0.75 of the time.
    private static final double ALIKE = 1.05;

    /// Of a formula that is always true.
    public static final AccessKeys NONE = new AccessKeys(List.of(), true, 0);

    /// @param formula any but [Formula.AllOf#ALWAYS], which no term stands for
    /// @param cost what each term would cost as a key
    public static AccessKeys of(Formula formula, ToDoubleFunction<Term> cost) {
        return switch (formula) {
            case Term term ->
                    new AccessKeys(List.copyOf(term.keys()), true, cost.applyAsDouble(term));
            case Formula.AllOf all -> cheapest(all, cost);
            case Formula.AnyOf any -> union(any, cost);
        };
    }

    private static AccessKeys cheapest(Formula.AllOf all, ToDoubleFunction<Term> costOf) {
        Formula[] operands = all.operands;
        int count = operands.length;
        double[] costs = new double[count];
        int[] slots = new int[count];
        // Null for terms, which most operands are: the keys of these are made if they are chosen.
        @Nullable AccessKeys[] joined = new AccessKeys[count];
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            if (operands[i] instanceof Term term) {
                costs[i] = costOf.applyAsDouble(term);
                slots[i] = term.probe.slot();
            } else {
                AccessKeys keys = of(operands[i], costOf);
                joined[i] = keys;
                costs[i] = keys.cost;
                slots[i] = keys.firstSlot();
            }
            least = Math.min(least, costs[i]);
        }
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (costs[i] <= ALIKE * least && (best < 0 || slots[i] < slots[best])) {
                best = i;
            }
        }
        AccessKeys keys = joined[best];
        return new AccessKeys(
                keys == null ? List.copyOf(((Term) operands[best]).keys()) : keys.terms,
                false,
                costs[best]);
    }

    /// True if they are what a node hangs on.
    public boolean are(Set<SharedTerm> hung) {
        if (terms.size() != hung.size()) {
            return false;
        }
        for (Term term : terms) {
            if (!term.isAmong(hung)) {
                return false;
            }
        }
        return true;
    }

    /// True if what a node hangs on leads to it whenever one of these is true.
    public boolean areFoundBy(Set<SharedTerm> hung) {
        return terms.stream().allMatch(term -> hung.stream().anyMatch(term::isFoundBy));
    }

    private int firstSlot() {
        return terms.isEmpty() ? 0 : terms.getFirst().probe.slot();
    }

    private static AccessKeys union(Formula.AnyOf any, ToDoubleFunction<Term> costOf) {
        // A range may be one selector's own here and shared there.
        Map<Term, Term> terms = new LinkedHashMap<>();
        boolean exact = true;
        double cost = 0;
        for (Formula operand : any.operands) {
            AccessKeys keys = of(operand, costOf);
            keys.terms.forEach(term -> terms.putIfAbsent(term.observed(), term));
            exact &= keys.exact;
            cost += keys.cost;
        }
        return new AccessKeys(new ArrayList<>(terms.values()), exact, cost);
    }
}
