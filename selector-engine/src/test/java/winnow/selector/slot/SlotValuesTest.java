package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;

class SlotValuesTest {

    private static final byte[] ABC = "abc".getBytes(UTF_8);

    private final Slots slots = new Slots(1);
    private final SlotValues values = new SlotValues();

    @Test
    void shouldForgetAMessageOnReset() {
        // given
        Matcher isNull = Selector.parse("s IS NULL AND n IS NULL").bind(slots);
        Matcher differs = Selector.parse("s <> 'x'").bind(slots);
        values.reset(slots);
        values.setString(slots.slotOf("s"), ABC, 0, 3);
        values.setInt(slots.slotOf("n"), 5);
        assertThat(isNull.matches(values)).isFalse();
        assertThat(differs.matches(values)).isTrue();

        // when
        values.reset(slots);

        // then
        assertThat(isNull.matches(values)).isTrue();
        assertThat(differs.matches(values)).isFalse();
    }

    @Test
    void shouldHoldTheLastOfTwoValues() {
        // given
        Matcher isString = Selector.parse("s = 'abc'").bind(slots);
        Matcher isNumber = Selector.parse("s = 5").bind(slots);
        int slot = slots.slotOf("s");

        // when
        values.reset(slots);
        values.setString(slot, ABC, 0, 3);
        values.setShort(slot, (short) 5);

        // then
        assertThat(isString.matches(values)).isFalse();
        assertThat(isNumber.matches(values)).isTrue();
        values.setString(slot, ABC, 0, 3);
        assertThat(isString.matches(values)).isTrue();
        assertThat(isNumber.matches(values)).isFalse();
        values.reset(slots);
        assertThat(values.isPresent(slot)).isFalse();
    }

    @Test
    void shouldTakeStringsFromSeveralArrays() {
        // given
        byte[] other = "xyzabd".getBytes(UTF_8);
        Matcher both = Selector.parse("s = 'abc' AND t = 'xyz' AND u LIKE 'a_d'").bind(slots);
        Matcher later = Selector.parse("s = 'xyz' AND t = 'abc' AND u IS NULL").bind(slots);
        int s = slots.slotOf("s");
        int t = slots.slotOf("t");
        int u = slots.slotOf("u");

        // when
        values.reset(slots);
        values.setString(s, ABC, 0, 3);
        values.setString(t, other, 0, 3);
        values.setString(u, other, 3, 3);

        // then
        assertThat(both.matches(values)).isTrue();
        values.setString(s, other, 0, 3);
        assertThat(both.matches(values)).isFalse();
        values.setString(s, ABC, 0, 3);
        assertThat(both.matches(values)).isTrue();

        // when
        values.reset(slots);
        values.setString(s, "xyz".getBytes(UTF_8));
        values.setString(t, ABC, 0, 3);

        // then
        assertThat(later.matches(values)).isTrue();
    }

    @Test
    void shouldFollowAnArrayThatMoves() {
        // given
        byte[] other = "xyz".getBytes(UTF_8);
        byte[] moved = "__abc".getBytes(UTF_8);
        byte[] otherMoved = "_xyz".getBytes(UTF_8);
        Matcher matcher = Selector.parse("s = 'abc' AND t = 'xyz' AND n = 5").bind(slots);
        values.reset(slots);
        values.setString(slots.slotOf("s"), ABC, 0, 3);
        values.setString(slots.slotOf("t"), other, 0, 3);
        values.setInt(slots.slotOf("n"), 5);

        // when
        values.moveStrings(ABC, moved, 2);
        values.moveStrings(other, otherMoved, 1);

        // then
        assertThat(values.text(slots.slotOf("s"))).isSameAs(moved);
        assertThat(values.text(slots.slotOf("t"))).isSameAs(otherMoved);
        assertThat(matcher.matches(values)).isTrue();
    }

    @Test
    void shouldIgnoreValuesThatNoSelectorUses() {
        // given
        Matcher matcher = Selector.parse("s IS NULL").bind(slots);

        // when
        values.reset(slots);
        values.setInt(-1, 5);
        values.setString(slots.size(), ABC, 0, 3);
        values.setOther(Integer.MAX_VALUE);

        // then
        assertThat(matcher.matches(values)).isTrue();
    }

    @Test
    void shouldServeSeveralTopicsInTurn() {
        // given
        Slots other = new Slots(2);
        Matcher here = Selector.parse("a = 1 AND b = 'abc'").bind(slots);
        Matcher there = Selector.parse("b = 'abc' OR c IS NOT NULL").bind(other);

        for (int i = 0; i < 3; i++) {
            // when
            values.reset(slots);
            values.setLong(slots.slotOf("a"), 1);
            values.setString(slots.slotOf("b"), ABC, 0, 3);

            // then
            assertThat(here.matches(values)).isTrue();
            values.reset(other);
            assertThat(there.matches(values)).isFalse();
            values.setString(other.slotOf("b"), ABC, 0, 3);
            assertThat(there.matches(values)).isTrue();
        }
    }

    @Test
    void shouldGrowWithTheSlots() {
        // given
        values.reset(slots);
        StringBuilder text = new StringBuilder("p0 = 0");
        for (int i = 1; i < 500; i++) {
            text.append(" AND p").append(i).append(" = ").append(i);
        }
        Matcher matcher = Selector.parse(text.toString()).bind(slots);

        // when
        values.reset(slots);
        for (int i = 0; i < 500; i++) {
            values.setDouble(slots.slotOf("p" + i), i);
        }

        // then
        assertThat(matcher.matches(values)).isTrue();
        values.setFloat(slots.slotOf("p499"), 1);
        assertThat(matcher.matches(values)).isFalse();
    }

    /// Its own slots and constants are unknown to the values, so anything could look missing.
    @Test
    void shouldNotMatchASelectorThatIsNewerThanTheValues() {
        // given
        Selector.parse("a = 1").bind(slots);
        values.reset(slots);
        values.setInt(slots.slotOf("a"), 1);

        // when
        Matcher newName = Selector.parse("b IS NULL").bind(slots);
        Matcher newConstant = Selector.parse("a <> 'new'").bind(slots);
        Matcher nothingNew = Selector.parse("a = 1 OR TRUE").bind(slots);
        values.setString(slots.slotOf("b"), ABC, 0, 3);

        // then
        assertThat(newName.matches(values)).isFalse();
        assertThat(newConstant.matches(values)).isFalse();
        values.reset(slots);
        values.setInt(slots.slotOf("a"), 1);
        assertThat(newName.matches(values)).isTrue();
        assertThat(nothingNew.matches(values)).isTrue();
    }

    /// A decoder asks the slots and not the values what is used, and may learn of a newer selector.
    @Test
    void shouldNotBeCompleteByValuesThatOnlyNewerSelectorsUse() {
        // given
        Slots changing = new Slots(1);
        int given = changing.require("given");
        changing.require("a");
        changing.require("b");
        changing.publish();
        changing.release(given);
        changing.publish();
        values.reset(changing);

        // when
        Selector.parse("JMSType = 'x' AND reused = 1").bind(changing);
        assertThat(changing.slotOf("reused")).isEqualTo(given);
        values.setString(Slots.TYPE, ABC, 0, 3);
        values.setInt(given, 1);
        boolean afterNewer = values.isComplete();
        values.setInt(changing.slotOf("a"), 1);
        boolean afterFirst = values.isComplete();
        values.setInt(changing.slotOf("b"), 1);

        // then
        assertThat(afterNewer).isFalse();
        assertThat(afterFirst).isFalse();
        assertThat(values.isComplete()).isTrue();
        assertThat(values.presentCount()).isEqualTo(2);
    }

    @Test
    void shouldBeCompleteWhenAllThatSelectorsUseHasAValue() {
        // given
        Selector.parse("a = 1 OR JMSType = 'x' OR JMSXDeliveryCount = 1").bind(slots);
        values.reset(slots);
        assertThat(values.isComplete()).isFalse();

        // when
        values.setInt(slots.slotOf("a"), 1);
        values.setInt(slots.slotOf("a"), 2);
        boolean early = values.isComplete();
        values.setString(Slots.TYPE, ABC, 0, 3);

        // then
        assertThat(early).isFalse();
        assertThat(values.isComplete()).isTrue();
        values.reset(slots);
        assertThat(values.isComplete()).isFalse();
    }
}
