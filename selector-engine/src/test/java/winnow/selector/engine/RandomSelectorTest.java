package winnow.selector.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.selector.compile.Predicate;
import winnow.selector.compile.SelectorCompiler;
import winnow.selector.compile.ShapeClass;
import winnow.selector.compile.ShapeClasses;
import winnow.selector.explain.Evaluation;
import winnow.selector.explain.Explanation;
import winnow.selector.explain.MessageValues;
import winnow.selector.explain.Warning;
import winnow.selector.explain.Warning.Kind;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.Truth;
import winnow.selector.simplify.CanonicalForm;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// Random selectors against random messages: the compiled predicates agree with the reference, and
/// so do equivalent forms of the selector. Rerun a failure with `-Dwinnow.selector.seed=N`;
/// `-Dwinnow.selector.volume=N` makes it N times as long.
class RandomSelectorTest {

    private static final int SELECTORS = 6_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int MESSAGES = 60;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final RandomSelectors random = new RandomSelectors(SEED);

    @Test
    void shouldAgreeWithTheReferenceInterpreter() {
        System.out.println("RandomSelectorTest: -Dwinnow.selector.seed=" + SEED);
        Map<Truth, Integer> verdicts = new EnumMap<>(Truth.class);
        long evaluations = 0;
        for (int i = 0; i < SELECTORS; i++) {
            // given
            Condition condition = i % 4 == 0 ? random.withSuffixRange(2) : random.condition(3);
            Slots slots = new Slots(SEED);
            SelectorCompiler compiler = new SelectorCompiler(slots);
            List<Form> forms = formsOf(condition, compiler);
            Predicate canonical = compiler.whenTrue(CanonicalForm.of(condition));
            if (i % 4 == 1) {
                forms.add(forms.getFirst().ofShape(new ShapeClasses(0, Runnable::run)));
            }
            slots.publish();
            SlotValues values = new SlotValues();

            for (int j = 0; j < MESSAGES; j++) {
                // when
                Map<String, Object> message = random.message();
                Truth truth = new ReferenceInterpreter(message).evaluate(condition);
                MessageValues.set(values, slots, message);
                verdicts.merge(truth, 1, Integer::sum);

                // then
                for (Form form : forms) {
                    if (form.ask(values) != truth) {
                        assertThat(form.ask(values))
                                .as("%s of %s with %s, seed %d", form, condition, message, SEED)
                                .isEqualTo(truth);
                    }
                    evaluations += 2;
                }
                if (canonical.test(values) != (truth == Truth.TRUE)) {
                    assertThat(truth)
                            .as("canonical %s with %s, seed %d", condition, message, SEED)
                            .isEqualTo(Truth.of(canonical.test(values)));
                }
            }
        }
        System.out.printf("%,d evaluations agree with the reference%n", evaluations);
        assertThat(verdicts.values())
                .as("each of TRUE, FALSE and UNKNOWN is met often")
                .hasSize(3)
                .allMatch(count -> count > SELECTORS * MESSAGES / 20);
    }

    @Test
    void shouldBeTrueAsOftenInCanonicalForm() {
        for (int i = 0; i < SELECTORS; i++) {
            // given
            Condition condition = i % 4 == 0 ? random.withSuffixRange(2) : random.condition(3);

            // when
            Condition canonical = CanonicalForm.of(condition);

            // then
            assertThat(CanonicalForm.of(canonical))
                    .as("again: %s, seed %d", condition, SEED)
                    .isEqualTo(canonical);
            assertThat(CanonicalForm.of(random.shuffled(condition)))
                    .as("shuffled: %s, seed %d", condition, SEED)
                    .isEqualTo(canonical);
            for (int j = 0; j < MESSAGES; j++) {
                ReferenceInterpreter message = new ReferenceInterpreter(random.message());
                boolean before = message.evaluate(condition) == Truth.TRUE;
                boolean after = message.evaluate(canonical) == Truth.TRUE;
                if (before != after) {
                    assertThat(after).as("%s, seed %d", condition, SEED).isEqualTo(before);
                }
            }
        }
    }

    @Test
    void shouldParseWhatItPrints() {
        for (int i = 0; i < SELECTORS; i++) {
            // given
            Condition condition = random.condition(4);
            String text = ExpressionPrinter.print(condition);

            // when
            Condition parsed = Selector.parse(text).expression();

            // then
            assertThat(parsed).as("%s, seed %d", text, SEED).isEqualTo(condition);
            assertThat(ExpressionPrinter.print(parsed)).isEqualTo(text);
        }
    }

    @Test
    void shouldBeRightWhenItSaysAlwaysOrNever() {
        int claims = 0;
        for (int i = 0; i < SELECTORS; i++) {
            // given
            Selector selector = Selector.parse(ExpressionPrinter.print(random.condition(2)));

            // when
            List<Warning> warnings = Explanation.of(selector).warnings();
            boolean never = warnings.stream().anyMatch(w -> w.kind() == Kind.NEVER_TRUE);
            boolean always = warnings.stream().anyMatch(w -> w.kind() == Kind.ALWAYS_TRUE);

            // then
            claims += never || always ? 1 : 0;
            for (int j = 0; j < MESSAGES && (never || always); j++) {
                Map<String, Object> message = random.messageWithProperHeaders();
                Truth truth = new ReferenceInterpreter(message).evaluate(selector.expression());
                assertThat(truth == Truth.TRUE)
                        .as("%s with %s, seed %d", selector, message, SEED)
                        .isEqualTo(always);
            }
        }
        assertThat(claims).isGreaterThan(SELECTORS / 50);
    }

    @Test
    void shouldSuggestOnlySelectors() {
        int suggestions = 0;
        for (int i = 0; i < SELECTORS; i++) {
            // given
            Selector selector = Selector.parse(ExpressionPrinter.print(random.condition(2)));

            // when
            List<Warning> warnings = new ArrayList<>(Explanation.of(selector).warnings());
            warnings.addAll(Evaluation.of(selector.expression(), random.message()).warnings());

            // then
            for (Warning warning : warnings) {
                String suggestion = warning.suggestion();
                if (suggestion != null) {
                    assertThat(suggestion).isNotEqualTo(warning.atom());
                    assertThatCode(() -> Selector.parse(suggestion))
                            .as("%s, seed %d", warning, SEED)
                            .doesNotThrowAnyException();
                    suggestions++;
                }
            }
        }
        assertThat(suggestions).isGreaterThan(SELECTORS / 50);
    }

    private List<Form> formsOf(Condition condition, SelectorCompiler compiler) {
        List<Form> forms = new ArrayList<>();
        forms.add(new Form("itself", compiler, condition));
        forms.add(new Form("NOT NOT", compiler, new Not(new Not(condition))));
        forms.add(new Form("De Morgan", compiler, new Not(negated(condition))));
        for (int i = 0; i < 3; i++) {
            forms.add(new Form("shuffled", compiler, random.shuffled(condition)));
        }
        return forms;
    }

    /// NOT pushed down: `NOT (a AND b) -> NOT a OR NOT b`.
    private static Condition negated(Condition condition) {
        return switch (condition) {
            case And(List<Condition> operands) ->
                    new Or(operands.stream().map(RandomSelectorTest::negated).toList());
            case Or(List<Condition> operands) ->
                    new And(operands.stream().map(RandomSelectorTest::negated).toList());
            case Not(Condition operand) -> operand;
            case Atom atom -> new Not(atom);
        };
    }

    /// One way to write the selector, compiled for T and for F.
    private static final class Form {

        private final String name;
        private final Predicate whenTrue;
        private final Predicate whenFalse;

        Form(String name, SelectorCompiler compiler, Condition condition) {
            this.name = name;
            this.whenTrue = compiler.whenTrue(condition);
            this.whenFalse = compiler.whenFalse(condition);
        }

        private Form(String name, Predicate whenTrue, Predicate whenFalse) {
            this.name = name;
            this.whenTrue = whenTrue;
            this.whenFalse = whenFalse;
        }

        Form ofShape(ShapeClasses classes) {
            return new Form(
                    "class of the shape", ofShape(whenTrue, classes), ofShape(whenFalse, classes));
        }

        private static Predicate ofShape(Predicate predicate, ShapeClasses classes) {
            ShapeClass shape = classes.of(predicate);
            if (shape == null) {
                return predicate;
            }
            assertThat(shape.evaluated(predicate, 1)).isNull();
            return requireNonNull(shape.evaluated(predicate, 1));
        }

        Truth ask(SlotValues values) {
            boolean isTrue = whenTrue.test(values);
            boolean isFalse = whenFalse.test(values);
            assertThat(isTrue && isFalse).as("both TRUE and FALSE").isFalse();
            return isTrue ? Truth.TRUE : isFalse ? Truth.FALSE : Truth.UNKNOWN;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
