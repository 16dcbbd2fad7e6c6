package winnow.selector.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.selector.expression.And;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

class SelectorTest {

    private final Slots slots = new Slots(1);
    private final SlotValues values = new SlotValues();

    @Test
    void shouldMatchAMessageByItsProperties() {
        // given
        Matcher matcher = Selector.parse("p = '#1' AND price > 9.5").bind(slots);

        // when
        values.reset(slots);
        byte[] bytes = "..#1..".getBytes(UTF_8);
        values.setString(slots.slotOf("p"), bytes, 2, 2);
        values.setInt(slots.slotOf("price"), 10);

        // then
        assertThat(matcher.matches(values)).isTrue();
    }

    @Test
    void shouldNotMatchWhenAValueIsMissing() {
        // given
        Matcher matcher = Selector.parse("p <> '#1'").bind(slots);

        // when
        values.reset(slots);

        // then
        assertThat(matcher.matches(values)).isFalse();
    }

    @Test
    void shouldMatchACorrelationIdWithinARange() {
        // given
        Matcher matcher = Selector.ofCorrelationId("[#7;#13]").bind(slots);

        // when
        values.reset(slots);
        byte[] bytes = "#11".getBytes(UTF_8);
        values.setString(Slots.CORRELATION_ID, bytes, 0, 3);

        // then
        assertThat(slots.uses(Slots.CORRELATION_ID)).isTrue();
        assertThat(matcher.matches(values)).isTrue();
    }

    @Test
    void shouldTellNamesWithTheSameHashApart() {
        // given
        Matcher matcher = Selector.parse("Aa = '#1' AND BB = '#2'").bind(slots);

        // when
        values.reset(slots);
        byte[] bytes = "#1#2".getBytes(UTF_8);
        values.setString(slots.slotOf("Aa"), bytes, 0, 2);
        values.setString(slots.slotOf("BB"), bytes, 2, 2);

        // then
        assertThat("Aa").hasSameHashCodeAs("BB");
        assertThat(matcher.matches(values)).isTrue();
    }

    @Test
    void shouldBeAsBeforeASelectorThatCannotBeCompiled() {
        // given
        Selector.parse("p = 'a'").bind(slots);
        Condition tooLong =
                new Like(new Identifier("r"), new LikePattern("%r" + "_".repeat(100_000) + "%"));
        Condition whole = new And(List.of(Selector.parse("q IN ('b', 'c')").expression(), tooLong));

        // when
        assertThatThrownBy(() -> new Selector("too long", whole).bind(slots))
                .isInstanceOf(IllegalArgumentException.class);

        // then
        slots.publish();
        assertThat(slots.slotOf("p")).isNotNegative();
        assertThat(slots.slotOf("q")).isEqualTo(-1);
        assertThat(slots.slotOf("r")).isEqualTo(-1);
        assertThat(slots.constants()).isOne();
    }
}
