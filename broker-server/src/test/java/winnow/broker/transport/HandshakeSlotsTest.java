package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeSlotsTest {
    private final HandshakeSlots slots = new HandshakeSlots(2);
    private final List<String> granted = new ArrayList<>();

    private HandshakeSlots.Slot take(String name) {
        return slots.take(() -> granted.add(name));
    }

    @Test
    void shouldGrantInOrder() {
        // given
        HandshakeSlots.Slot first = take("first");
        take("second");
        take("third");
        take("fourth");
        assertThat(granted).containsExactly("first", "second");

        // when
        slots.end(first);
        slots.end(first);

        // then
        assertThat(granted).containsExactly("first", "second", "third");
        assertThat(slots.used()).isEqualTo(2);
    }

    @Test
    void shouldForgetThoseWhoHaveGone() {
        // given
        HandshakeSlots.Slot first = take("first");
        HandshakeSlots.Slot second = take("second");
        HandshakeSlots.Slot gone = take("gone");

        // when
        slots.end(gone);
        slots.end(first);
        slots.end(second);

        // then
        assertThat(granted).containsExactly("first", "second");
        assertThat(slots.used()).isZero();
    }
}
