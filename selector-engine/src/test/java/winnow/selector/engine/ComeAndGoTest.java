package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.And;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.StringLiteral;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// What leaves takes no memory along, in the index and without.
class ComeAndGoTest {

    private static final int NAMES = 100_000 * Integer.getInteger("winnow.selector.volume", 1);

    /// What remains of what was learned from messages is limited, and small beside the selectors.
    private static final int LARGER = 20;

    /// No other selector has its names and constants.
    private static Selector different(int i) {
        return new Selector(
                "",
                new And(
                        List.of(
                                new Comparison(
                                        new Identifier("n" + i),
                                        ComparisonOperator.EQUAL,
                                        new StringLiteral("c" + i)),
                                new Comparison(
                                        new Identifier("m" + i),
                                        ComparisonOperator.LESS,
                                        new LongLiteral(i)),
                                new Comparison(
                                        new Identifier("common"),
                                        ComparisonOperator.EQUAL,
                                        new StringLiteral("d" + i)))));
    }

    @Test
    void shouldGiveNamesAndConstantsBackToTheIndex() {
        // given
        SelectorIndex<String> index = new SelectorIndex<>(1);
        index.add(Selector.parse("common = 'x' AND n = 'y'"), "stays");
        index.remove(index.add(different(0), ""));
        long before = Footprint.of(index);

        // when
        for (int i = 1; i < NAMES; i++) {
            index.remove(index.add(different(i), ""));
        }

        // then
        assertThat(index.slots().constants()).isEqualTo(2);
        assertThat(Footprint.of(index)).isLessThanOrEqualTo(before + 100);
    }

    @Test
    void shouldGiveNamesAndConstantsBackWithoutIndex() {
        // given
        Slots slots = new Slots(1);
        Matcher stays = Selector.parse("common = 'x' AND n = 'y'").bind(slots);
        different(0).bind(slots).release();
        long before = Footprint.of(slots);

        // when
        for (int i = 1; i < NAMES; i++) {
            different(i).bind(slots).release();
        }

        // then
        assertThat(slots.constants()).isEqualTo(2);
        assertThat(Footprint.of(slots)).isLessThanOrEqualTo(before + 100);
        SlotValues values = new SlotValues();
        MessageValues.set(values, slots, Map.of("common", "x", "n", "y"));
        assertThat(stays.matches(values)).isTrue();
    }

    @Test
    void shouldMatchNothingOnceReleased() {
        // given
        Slots slots = new Slots(1);
        Matcher matcher = Selector.parse("a = 'x'").bind(slots);
        SlotValues older = new SlotValues();
        MessageValues.set(older, slots, Map.of("a", "x"));

        // when
        matcher.release();
        Selector.parse("b = 'y'").bind(slots);

        // then
        SlotValues newer = new SlotValues();
        MessageValues.set(newer, slots, Map.of("b", "y"));
        assertThat(matcher.matches(newer)).isFalse();
        assertThat(matcher.matches(older)).isFalse();
        assertThat(slots.slotOf("a")).isNegative();
        assertThatThrownBy(() -> slots.constantOf(slots.slotOf("b"), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldLookAtNothingOnceReleased() {
        // given
        Slots slots = new Slots(1);
        Matcher matcher = Selector.parse("a = 'x'").bind(slots);
        Matcher negated = Selector.parse("a IS NULL OR a <> 'x'").bind(slots);

        // when
        matcher.release();
        negated.release();

        // then values without room for the slot will do
        SlotValues values = new SlotValues();
        MessageValues.set(values, slots, Map.of("a", "x"));
        assertThat(values.holds(Slots.FIRST_PROPERTY)).isFalse();
        assertThat(matcher.matches(values)).isFalse();
        assertThat(negated.matches(values)).isFalse();
    }

    private static String varied(int i, Random random) {
        String name = "n" + random.nextInt(2_000);
        String other = "k" + random.nextInt(20);
        return switch (i % 12) {
            case 0 -> name + " = 'v" + i + "'";
            case 1 -> other + " = 'v" + i % 50 + "' AND " + name + " > " + i;
            case 2 -> other + " BETWEEN " + i + " AND " + (i + random.nextInt(10_000));
            case 3 -> other + " LIKE 'p" + i + "%'";
            case 4 -> other + " LIKE '%t" + i + "x%'";
            case 5 -> other + " LIKE 'p%t" + i + "x'";
            case 6 -> name + " IS NULL AND " + other + " = " + i;
            case 7 -> other + " IN ('a" + i + "', 'b" + i + "', 'c')";
            case 8 -> "NOT (" + other + " > " + i + ") OR " + name + " = 'x'";
            case 9 -> name + " * 2 > " + i + " AND " + other + " <> 'y'";
            case 10 -> other + " > " + i + " AND k0 < " + 2 * i + " AND k1 = 'c' AND k2 <> 'd'";
            default -> "all = 'a' AND " + other + " > " + i + " AND k3 = 'v" + i % 7 + "'";
        };
    }

    private static List<SubscriberHandle<String>> add(
            SelectorIndex<String> index, int from, int to) {
        Random random = new Random(from);
        List<SubscriberHandle<String>> entries = new ArrayList<>();
        for (int i = from; i < to; i++) {
            entries.add(index.add(Selector.parse(varied(i, random)), ""));
        }
        return entries;
    }

    private static void match(SelectorIndex<String> index) {
        MatchScratch matching = new MatchScratch();
        SlotValues values = new SlotValues(1);
        for (int i = 0; i < 200; i++) {
            MessageValues.set(
                    values,
                    index.slots(),
                    Map.of("k0", i * 100, "k1", "c", "k3", "v" + i % 7, "all", "a", "k5", "p" + i));
            index.match(values, matching, _ -> {});
            index.tune(64);
        }
    }

    @Test
    void shouldBeAsSmallAsBeforeWhenAllHaveGone() {
        // given
        SelectorIndex<String> index = new SelectorIndex<>(1);
        add(index, 0, 500).forEach(index::remove);
        long before = Footprint.of(index);

        // when
        List<SubscriberHandle<String>> entries = add(index, 0, 50_000);
        match(index);
        long full = Footprint.of(index);
        entries.forEach(index::remove);

        // then
        assertThat(full).isGreaterThan(50_000 * 20L);
        assertThat(index.terms()).isZero();
        assertThat(Footprint.of(index)).isLessThan(before + full / LARGER);
    }

    @Test
    void shouldBecomeSmallWhenFewAreLeft() {
        // given
        SelectorIndex<String> index = new SelectorIndex<>(1);
        add(index, 0, 100);
        long before = Footprint.of(index);

        // when
        List<SubscriberHandle<String>> entries = add(index, 100, 50_000);
        match(index);
        long full = Footprint.of(index);
        entries.forEach(index::remove);

        // then
        assertThat(Footprint.of(index)).isLessThan(before + full / LARGER);
    }
}
