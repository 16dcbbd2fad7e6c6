package winnow.selector.index.term;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.engine.Selector;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.simplify.CanonicalForm;
import winnow.selector.slot.SlotRegistry;
import winnow.selector.slot.Slots;

/// What fails on the way from a condition to its formula leaves no trace.
class TermsTest {

    /// Gives slots out until it has to fail.
    private final class FailingRegistry implements SlotRegistry {

        private int calls;
        private int failingCall = Integer.MAX_VALUE;

        @Override
        public int require(String name) {
            count();
            return slots.require(name);
        }

        @Override
        public int requireConstant(int slot, byte[] utf8) {
            count();
            return slots.requireConstant(slot, utf8);
        }

        private void count() {
            if (++calls == failingCall) {
                throw new IllegalStateException("call " + calls);
            }
        }
    }

    private static final Condition ABOVE_EVERY_LIMIT =
            new Like(new Identifier("d"), new LikePattern("%d" + "_".repeat(100_000) + "%"));

    private final Slots slots = new Slots(1);
    private final Probes probes = new Probes(1);
    private final FailingRegistry registry = new FailingRegistry();
    private final Terms terms = new Terms(slots, probes, registry);

    /// All that a build changes.
    private record State(int terms, int constants, int probes, List<Integer> slots) {}

    private State state() {
        while (terms.releaseOne()) {
            // Some terms are given back later.
        }
        slots.publish();
        List<Integer> known = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            known.add(slots.slotOf(name));
        }
        return new State(terms.size(), slots.constants(), probes.size(), known);
    }

    private static Condition canonical(String selector) {
        return CanonicalForm.of(Selector.parse(selector).expression());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 'new'",
                "a = 'x' AND b = 'x' AND c = 'z' OR a = 'y'",
                "a IN ('x', 'y', 'z') OR b = 'x'",
                "a NOT IN ('x', 'y') AND NOT b = 'x'",
                "NOT (a > 5) AND b <= 5",
                "a = 'x' AND NOT (b BETWEEN 5 AND 7)",
                "a BETWEEN 1 AND 2 OR a BETWEEN 3 AND 4 OR a BETWEEN 1 AND 2",
                "a > 0.1 OR a = 9007199254740993 OR 5 > b OR 5 BETWEEN b AND 7",
                "a LIKE 'x%' AND b LIKE '%y%' AND c LIKE '%z_z%' AND d LIKE 'x'",
                "a IS NULL OR b * 2 > c + 1 OR a <> b",
                "(a = 'x' OR b AND NOT c) AND (a = 'y' OR NOT (b IN ('y', 'z')))"
            })
    void shouldBeAsBeforeWhicheverStepFails(String selector) {
        // given
        Condition condition = canonical(selector);
        Formula kept = terms.formula(canonical("a = 'x' OR b < 5 OR NOT (b > 5) OR b IS NULL"));
        State before = state();
        registry.calls = 0;
        Formula whole = terms.formula(condition);
        int calls = registry.calls;
        whole.forEachTerm(terms::release);
        assertThat(calls).isPositive();
        assertThat(state()).isEqualTo(before);

        for (int failing = 1; failing <= calls; failing++) {
            // when
            registry.calls = 0;
            registry.failingCall = failing;
            assertThatThrownBy(() -> terms.formula(condition))
                    .isInstanceOf(IllegalStateException.class);

            // then
            assertThat(state()).as("call %d of %d", failing, calls).isEqualTo(before);
        }
        registry.failingCall = Integer.MAX_VALUE;
        kept.forEachTerm(terms::release);
        assertThat(state()).isEqualTo(new State(0, 0, 0, List.of(-1, -1, -1, -1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    a > 5                    ; a > 5.0                  ; true
                    a > 5                    ; 5 < a                    ; true
                    a > 5                    ; a >= 5                   ; false
                    a > 5                    ; b > 5                    ; false
                    a > 5 AND a < 7          ; a < 7 AND a > 5          ; true
                    a = 9007199254740993     ; 9007199254740993 = a     ; true
                    a = 9007199254740993     ; a = 9007199254740992     ; false
                    a = 0.1                  ; a = 0.10                 ; true
                    a = 0.1                  ; a = 0.1f                 ; false
                    """)
    void shouldKnowEqualRanges(String selector, String other, boolean equal) {
        // given
        Formula first = terms.formula(canonical(selector));

        // when
        Formula second = terms.formula(canonical(other));

        // then
        assertThat(first.equals(second)).isEqualTo(equal);
        first.forEachTerm(terms::release);
        second.forEachTerm(terms::release);
        assertThat(state()).isEqualTo(new State(0, 0, 0, List.of(-1, -1, -1, -1)));
    }

    @Test
    void shouldPutWhatComesAfterAFailureOnItsOwnProbe() {
        // given
        State before = state();
        for (int place = 0; place < 3; place++) {
            List<Condition> operands = new ArrayList<>();
            operands.add(canonical("a LIKE '%a_a%'"));
            operands.add(canonical("b IN ('x', 'y')"));
            operands.add(place, ABOVE_EVERY_LIMIT);
            assertThatThrownBy(() -> terms.formula(new And(operands)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(state()).isEqualTo(before);
        }

        // when
        slots.require("first");
        Term term = (Term) requireNonNull(terms.formula(canonical("c LIKE '%c_c%'")));

        // then
        slots.publish();
        assertThat(term.probe.slot()).isEqualTo(slots.slotOf("c"));
    }

    @Test
    void shouldNotTakeAConstantForUsedWhenItsNumberIsUsedAgain() {
        // given
        terms.formula(canonical("a = 'kept'"));
        ConstantTerm gone = (ConstantTerm) terms.formula(canonical("a = 'gone'"));
        terms.release(gone);

        // when
        ConstantTerm next = (ConstantTerm) terms.formula(canonical("a = 'next'"));

        // then
        assertThat(next.constant()).isEqualTo(gone.constant());
        assertThat(next.isUsed()).isTrue();
        assertThat(gone.isUsed()).isFalse();
    }

    @Test
    void shouldCountUsesOfConstantsWhileThereAreMoreAndFewer() {
        for (int round = 0; round < 2; round++) {
            // given
            List<ConstantTerm> all = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                for (int use = 0; use <= i % 3; use++) {
                    all.add((ConstantTerm) terms.formula(canonical("a = 'constant-" + i + "'")));
                }
            }
            assertThat(terms.size()).isEqualTo(3_000);

            // when
            while (!all.isEmpty()) {
                ConstantTerm last = all.removeLast();
                terms.release(last);

                // then
                boolean hasMore = !all.isEmpty() && all.getLast().equals(last);
                assertThat(last.isUsed()).isEqualTo(hasMore);
            }
            assertThat(state()).isEqualTo(new State(0, 0, 0, List.of(-1, -1, -1, -1)));
        }
    }

    @Test
    void shouldKeepTheUsesOfAConstantWhenThoseBelowAndAboveGo() {
        // given
        List<ConstantTerm> all = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            all.add((ConstantTerm) terms.formula(canonical("a = 'constant-" + i + "'")));
        }
        ConstantTerm kept = all.remove(1_500);

        // when
        all.forEach(terms::release);

        // then
        assertThat(kept.isUsed()).isTrue();
        for (int i = 0; i < 2_000; i++) {
            ConstantTerm next = (ConstantTerm) terms.formula(canonical("a = 'next-" + i + "'"));
            terms.release(next);
            assertThat(next.isUsed()).isFalse();
        }
        terms.release(kept);
        assertThat(state()).isEqualTo(new State(0, 0, 0, List.of(-1, -1, -1, -1)));
    }
}
