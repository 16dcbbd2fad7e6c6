package winnow.selector.compile;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

class ShapeClassesTest {

    private final List<Runnable> background = new ArrayList<>();
    private final ShapeClasses classes = new ShapeClasses(100, background::add);
    private final Slots slots = new Slots(1);

    private Predicate compile(String selector) {
        return new SelectorCompiler(slots).whenTrue(Selector.parse(selector).expression());
    }

    /// Evaluates often enough, and again when the class is there.
    private @Nullable Predicate heat(Predicate predicate) {
        ShapeClass shape = requireNonNull(classes.of(predicate));
        assertThat(shape.evaluated(predicate, 99)).isNull();
        assertThat(shape.evaluated(predicate, 1)).isNull();
        background.forEach(Runnable::run);
        background.clear();
        return shape.evaluated(predicate, 1);
    }

    private boolean test(Predicate predicate, Map<String, Object> message) {
        slots.publish();
        SlotValues values = new SlotValues();
        MessageValues.set(values, slots, message);
        return predicate.test(values);
    }

    @Test
    void shouldMakeOneClassForSelectorsThatDifferInNamesAndConstants() {
        // given
        Predicate first = compile("a = 'x' AND NOT b > 5 AND (c OR d LIKE '%e' OR f IS NULL)");
        Predicate second = compile("p = 'y' AND NOT q > 7.5 AND (c OR s LIKE 'x_' OR t IS NULL)");

        // when
        Predicate faster = requireNonNull(heat(first));
        ShapeClass shape = requireNonNull(classes.of(second));

        // then
        assertThat(classes.size()).isOne();
        assertThat(shape).isSameAs(classes.of(first));
        Predicate other = requireNonNull(shape.evaluated(second, 1));
        assertThat(other).hasSameClassAs(faster);
        assertThat(test(faster, Map.of("a", "x", "b", 5, "f", 1, "d", "me"))).isTrue();
        assertThat(test(faster, Map.of("a", "x", "b", 5, "f", 1, "d", "my"))).isFalse();
        assertThat(test(other, Map.of("p", "y", "q", 7.5f))).isTrue();
        assertThat(test(other, Map.of("p", "y", "q", 8))).isFalse();
    }

    @Test
    void shouldMakeNoClassBeforeThereWereManyEvaluations() {
        // given
        Predicate predicate = compile("a = 1 AND b = 2 AND c = 3");
        ShapeClass shape = requireNonNull(classes.of(predicate));

        // when
        Predicate faster = shape.evaluated(predicate, 99);

        // then
        assertThat(faster).isNull();
        assertThat(background).isEmpty();
        assertThat(classes.size()).isZero();
    }

    @Test
    void shouldKeepTheShapeThatWasCountedWhenOperandsChangeTheirOrder() {
        // given
        Predicate first = compile("a = 'x' AND b > 5 AND NOT c");
        Predicate second = compile("p = 'y' AND q > 7 AND NOT r");
        ShapeClass shape = requireNonNull(classes.of(first));
        assertThat(shape).isSameAs(classes.of(second));
        shape.evaluated(first, 100);

        // when
        AllOf reordered = (AllOf) first;
        reordered.reorder(reordered.operands().reversed());
        background.forEach(Runnable::run);

        // then
        assertThat(shape.evaluated(first, 1)).isNull();
        Predicate faster = requireNonNull(shape.evaluated(second, 1));
        assertThat(test(faster, Map.of("p", "y", "q", 8, "r", false))).isTrue();
        assertThat(test(faster, Map.of("p", "y", "q", 7, "r", false))).isFalse();
        assertThat(test(faster, Map.of("p", "z", "q", 8, "r", false))).isFalse();
    }

    @Test
    void shouldNotBeMadeFromAPredicateThatHasAnotherShapeBeforeItIsHot() {
        // given
        Predicate first = compile("a = 'x' AND b > 5 AND NOT c");
        Predicate second = compile("p = 'y' AND q > 7 AND NOT r");
        ShapeClass shape = requireNonNull(classes.of(first));
        AllOf reordered = (AllOf) first;
        reordered.reorder(reordered.operands().reversed());

        // when
        shape.evaluated(first, 100);

        // then
        assertThat(background).isEmpty();
        assertThat(shape.evaluated(second, 1)).isNull();
        background.forEach(Runnable::run);
        Predicate faster = requireNonNull(shape.evaluated(second, 1));
        assertThat(test(faster, Map.of("p", "y", "q", 8, "r", false))).isTrue();
        assertThat(test(faster, Map.of("p", "y", "q", 8, "r", true))).isFalse();
    }

    @Test
    void shouldLeaveSmallAndLargeSelectorsToClosures() {
        assertThat(classes.of(compile("a = 1"))).isNull();
        assertThat(classes.of(compile("a = 1" + " AND a = 1".repeat(200)))).isNull();
    }

    @Test
    void shouldMakeABoundedNumberOfClasses() {
        // given
        int closures = 0;
        for (int shape = 0; shape < 2_000; shape++) {
            StringBuilder selector = new StringBuilder("a = 1");
            for (int bit = 0; bit < 11; bit++) {
                selector.append((shape >> bit & 1) == 0 ? " AND b = 1" : " AND b = 'x'");
            }
            Predicate predicate = compile(selector.toString());

            // when
            Predicate faster = heat(predicate);

            // then
            closures += faster == null ? 1 : 0;
        }
        assertThat(classes.size()).isEqualTo(128);
        assertThat(closures).isEqualTo(2_000 - 128);
    }
}
