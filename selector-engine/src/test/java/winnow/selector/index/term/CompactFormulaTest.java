package winnow.selector.index.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Truth;
import winnow.selector.simplify.CanonicalForm;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// What is kept of a formula says the same as the formula.
class CompactFormulaTest {

    private static final List<Object> VALUES =
            List.of(
                    "x",
                    "y",
                    "5",
                    true,
                    0,
                    5,
                    (byte) 5,
                    6,
                    7L,
                    5.5,
                    5.5f,
                    0.1,
                    0.1f,
                    -0.0,
                    16777216,
                    16777217,
                    16777218.0f,
                    1700000000123L,
                    9007199254740992L,
                    9007199254740993L,
                    Double.NaN,
                    Double.NEGATIVE_INFINITY,
                    Float.POSITIVE_INFINITY,
                    1e300);

    /// Remembers nothing, and is led nowhere.
    private static final class Forgetful extends TermVisitor {
        @Override
        public boolean remembered(PredicateTerm term, SlotValues theValues) {
            return term.testUnremembered(theValues);
        }

        @Override
        public void hitNodes(Object nodes) {
            throw new IllegalStateException("a test led to a term");
        }

        @Override
        public void candidate(SharedTerm term) {
            throw new IllegalStateException("a test led to a term");
        }

        @Override
        public void candidates(Object found) {
            throw new IllegalStateException("a test led to terms");
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        protected void leave(Lookup rest) {
            throw new IllegalStateException("a test led to a lookup");
        }

        @Override
        public void lookedUp(int slots) {}

        @Override
        public boolean isIndexLarge() {
            return false;
        }

        @Override
        public void readAhead(int read) {}
    }

    private final Slots slots = new Slots(1);
    private final Terms terms = new Terms(slots, new Probes(1));
    private final SlotValues values = new SlotValues();

    private Formula formula(String selector) {
        Formula formula = terms.formula(CanonicalForm.of(Selector.parse(selector).expression()));
        slots.publish();
        return formula;
    }

    private List<SharedTerm> keys(Formula formula) {
        AccessKeys keys = AccessKeys.of(formula, Term::cost);
        return keys.terms().stream().<SharedTerm>map(terms::itself).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 'x' AND b BETWEEN 5 AND 6",
                "a BETWEEN 5 AND 6 AND b BETWEEN 0.1 AND 0.2 AND c > 5",
                "a > 5.5 AND b < 0.1 AND c = 'x' AND d = 'y'",
                "a >= 0 AND b <= -0.0",
                "a >= 16777217 AND b <= 16777217.0f",
                "a = 5 AND b BETWEEN 1700000000123 AND 1700000000124",
                "a > 0.1f AND b < 0.1f",
                "a > 9007199254740992 AND b < 5",
                "a >= 9007199254740993 AND b = 'x'",
                "a < 1e300 AND b > -1e300",
                "a > 6 AND a < 5 AND b = 'x'",
                "a = 'x' AND b = 'y'",
                "a = 'x' AND b IN ('x', 'y') AND c > 5",
                "a = 'x' AND (b > 5 OR c < 5)",
                "a BETWEEN 5 AND 6",
                "a = 5",
                "a = 'x'",
                "a > 5 OR b > 6",
                "NOT (a > 5) AND b < 6"
            })
    void shouldSayTheSame(String selector) {
        // given
        Formula formula = formula(selector);
        List<SharedTerm> keys = keys(formula);

        // when
        Object compact = CompactFormula.of(formula, keys);
        Object whole = CompactFormula.whole(compact, keys);

        // then
        assertThat(CompactFormula.formula(compact, keys))
                .isEqualTo(formula)
                .hasSameHashCodeAs(formula);
        assertThat(CompactFormula.formula(whole, keys)).isEqualTo(formula);
        assertThat(CompactFormula.effort(whole)).isEqualTo(formula.effort());
        assertThat(partsOf(compact, keys)).containsExactlyInAnyOrderElementsOf(partsOf(formula));
        assertThat(partsOf(whole, keys)).containsExactlyInAnyOrderElementsOf(partsOf(formula));
        int found = 0;
        for (Object a : VALUES) {
            for (Object b : VALUES) {
                Map<String, Object> message = new HashMap<>(Map.of("a", a, "b", b));
                if (a.equals("x")) {
                    message.putAll(Map.of("c", b, "d", "y"));
                }
                boolean expected =
                        new ReferenceInterpreter(message)
                                        .evaluate(Selector.parse(selector).expression())
                                == Truth.TRUE;
                MessageValues.set(values, slots, message);
                assertThat(test(whole)).as("%s for %s", selector, message).isEqualTo(expected);
                if (keys.stream().anyMatch(key -> key.testUnremembered(values))) {
                    found++;
                    assertThat(test(compact))
                            .as("%s for %s", selector, message)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(found > 0).isEqualTo(!selector.startsWith("a > 6 AND a < 5"));
    }

    private static List<Formula> partsOf(Object compact, List<SharedTerm> keys) {
        List<Formula> operands = new ArrayList<>();
        CompactFormula.addOperands(compact, keys, operands);
        return operands;
    }

    private static List<Formula> partsOf(Formula formula) {
        return formula instanceof Formula.AllOf all ? all.operands() : List.of(formula);
    }

    private boolean test(Object compact) {
        return CompactFormula.test(compact, values, new Forgetful());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    a = 'x' AND b BETWEEN 5 AND 6          ; 5
                    a BETWEEN 5 AND 6 AND b > 0            ; 6
                    a > 5 AND b > 0                        ; 6
                    a < 5.5 AND b < 0.1f AND c = 'x'       ; 6
                    a BETWEEN 5 AND 6 AND b > 0.1          ; 8
                    a = 16777217.0 AND b = 'x' AND c = 'y' ; 9
                    """)
    void shouldPackRangesAndConstants(String selector, int ints) {
        // given
        Formula formula = formula(selector);

        // when
        Object compact = CompactFormula.of(formula, keys(formula));

        // then
        assertThat(compact)
                .isInstanceOfSatisfying(int[].class, packed -> assertThat(packed).hasSize(ints));
    }

    @Test
    void shouldKeepTheTermOfARangeThatIsAKey() {
        // given
        Formula formula = formula("a BETWEEN 5 AND 6");
        List<SharedTerm> keys = keys(formula);

        // when
        Object compact = CompactFormula.of(formula, keys);

        // then
        assertThat(compact).isSameAs(keys.getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a > 5 AND b = 'x' AND c < 7.5", "a IS NULL AND b = 'x' AND c <> 'y'"})
    void shouldKeepTheOrderOfOperandsBehindAKeyThatIsLeftOut(String selector) {
        // given
        Formula.AllOf formula = (Formula.AllOf) formula(selector);
        List<SharedTerm> keys =
                formula.operands().stream()
                        .filter(ConstantTerm.class::isInstance)
                        .map(SharedTerm.class::cast)
                        .toList();
        Object before = CompactFormula.of(formula, keys);
        formula.reorder(formula.operands().reversed());
        List<Formula> ordered = new ArrayList<>(formula.operands());

        // when
        Object compact = CompactFormula.reordered(before, formula, keys);
        Object whole = CompactFormula.reordered(CompactFormula.whole(before, keys), formula, keys);

        // then
        assertThat(operands(whole, keys)).isEqualTo(ordered);
        ordered.remove(keys.getFirst());
        ordered.addFirst(keys.getFirst());
        assertThat(operands(compact, keys)).isEqualTo(ordered);
    }

    private static List<Formula> operands(Object compact, List<SharedTerm> keys) {
        return ((Formula.AllOf) CompactFormula.formula(compact, keys)).operands();
    }

    @Test
    void shouldLeaveNoKeyOutThatAnAlternativeHas() {
        // given
        Formula formula = formula("(a = 'x' AND b = 'y' OR a = 'x' AND b = 'z') AND c > 5");
        List<SharedTerm> keys =
                AccessKeys.of(
                                formula,
                                term ->
                                        term instanceof ConstantTerm constant
                                                        && constant.probe.slot()
                                                                == slots.slotOf("a")
                                                ? 1
                                                : 100)
                        .terms()
                        .stream()
                        .<SharedTerm>map(terms::itself)
                        .toList();
        assertThat(keys).hasSize(1);

        // when
        Object compact = CompactFormula.of(formula, keys);

        // then
        assertThat(CompactFormula.formula(compact, keys)).isEqualTo(formula);
        assertThat(CompactFormula.whole(compact, keys)).isSameAs(compact);
    }
}
