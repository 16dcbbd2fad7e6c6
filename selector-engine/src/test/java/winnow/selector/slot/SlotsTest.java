package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;

class SlotsTest {

    private final Slots slots = new Slots(1);

    @Test
    void shouldNumberOnlyTheNamesThatSelectorsUse() {
        // when
        assertThat(slots.usesProperties()).isFalse();
        Selector.parse("p = 1 AND q = 2").bind(slots);
        Selector.parse("q = 3 OR r IS NULL").bind(slots);

        // then
        assertThat(slots.usesProperties()).isTrue();
        assertThat(slots.slotOf("p")).isEqualTo(Slots.FIRST_PROPERTY);
        assertThat(slots.slotOf("q")).isEqualTo(Slots.FIRST_PROPERTY + 1);
        assertThat(slots.slotOf("r")).isEqualTo(Slots.FIRST_PROPERTY + 2);
        assertThat(slots.slotOf("other")).isEqualTo(-1);
        assertThat(slots.size()).isEqualTo(Slots.FIRST_PROPERTY + 3);
        assertThat(slots.uses(Slots.FIRST_PROPERTY + 2)).isTrue();
        assertThat(slots.uses(Slots.FIRST_PROPERTY + 3)).isFalse();
    }

    @Test
    void shouldTellWhichHeaderFieldsAreUsed() {
        // when
        Selector.parse("JMSPriority > 3 AND JMSType = 'a'").bind(slots);
        Selector.ofCorrelationId("[#7;#13]").bind(slots);

        // then
        assertThat(slots.uses(Slots.PRIORITY)).isTrue();
        assertThat(slots.uses(Slots.TYPE)).isTrue();
        assertThat(slots.uses(Slots.CORRELATION_ID)).isTrue();
        assertThat(slots.uses(Slots.MESSAGE_ID)).isFalse();
        assertThat(slots.uses(Slots.TIMESTAMP)).isFalse();
        assertThat(slots.uses(Slots.DELIVERY_MODE)).isFalse();
        assertThat(slots.usesProperties()).isFalse();
    }

    @Test
    void shouldNotLetAPropertyPoseAsAHeaderField() {
        // when
        Selector.parse("JMSPriority > 3 AND JMSXDeliveryCount = 1").bind(slots);

        // then
        assertThat(slots.slotOf("JMSPriority")).isEqualTo(-1);
        assertThat(slots.slotOf("JMSXDeliveryCount")).isEqualTo(-1);
    }

    @Test
    void shouldChangeItsVersionOnlyWhenSomethingIsNew() {
        // given
        Selector.parse("p = 'a'").bind(slots);
        long version = slots.version();

        // then
        Selector.parse("p = 'a' OR p LIKE 'b%'").bind(slots);
        assertThat(slots.version()).isEqualTo(version);
        Selector.parse("p = 'b'").bind(slots);
        assertThat(slots.version()).isEqualTo(version + 1);
        Selector.parse("JMSPriority = 1").bind(slots);
        assertThat(slots.version()).isEqualTo(version + 2);
    }

    @Test
    void shouldMatchSelectorsOfAnyVersion() {
        // given
        Slots old = new Slots(1, Integer.MAX_VALUE - 2L);
        SlotValues values = new SlotValues();
        Matcher first = Selector.parse("p = 'a'").bind(old);

        for (int i = 0; i < 8; i++) {
            // when
            Matcher next = Selector.parse("p = 'a' OR p" + i + " = 1").bind(old);
            values.reset(old);
            values.setString(old.slotOf("p"), constant("a"), 0, 1);

            // then
            assertThat(first.matches(values)).isTrue();
            assertThat(next.matches(values)).isTrue();
        }
        assertThat(old.version()).isGreaterThan(Integer.MAX_VALUE);
    }

    @Test
    void shouldFindEveryConstantOfAGrowingTable() {
        // given
        int slot = slots.require("p");
        for (int i = 0; i < 10_000; i++) {
            byte[] utf8 = constant(i);
            assertThat(slots.requireConstant(slot, utf8)).isEqualTo(i);
            assertThat(slots.requireConstant(slot, utf8)).isEqualTo(i);
        }
        slots.publish();

        // when
        SlotValues values = new SlotValues();
        values.reset(slots);

        // then
        for (int i = 0; i < 20_000; i++) {
            byte[] utf8 = constant(i);
            values.setString(slot, utf8, 0, utf8.length);
            assertThat(values.constant(slot)).isEqualTo(i < 10_000 ? i : SlotValues.NO_CONSTANT);
        }
    }

    /// Of every length from 0 bytes, so that whole words and every rest are hashed.
    private static byte[] constant(int i) {
        return constant(i == 0 ? "" : "x".repeat(i % 40) + i);
    }

    private static byte[] constant(String text) {
        return text.getBytes(UTF_8);
    }
}
