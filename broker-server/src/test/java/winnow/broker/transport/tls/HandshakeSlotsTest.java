package winnow.broker.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeSlotsTest {
    private final HandshakeSlots slots = new HandshakeSlots(4);
    private final List<String> granted = new ArrayList<>();

    /// @param name the client's address and a number
    private HandshakeSlots.Slot take(String name) {
        return slots.take(name.substring(0, 1), () -> granted.add(name));
    }

    @Test
    void shouldGrantInOrder() {
        // given
        HandshakeSlots.Slot first = take("a1");
        take("a2");
        take("a3");
        take("a4");
        assertThat(granted).containsExactly("a1", "a2");

        // when
        slots.end(first);
        slots.end(first);

        // then
        assertThat(granted).containsExactly("a1", "a2", "a3");
        assertThat(slots.used()).isEqualTo(2);
    }

    @Test
    void shouldForgetThoseWhoHaveGone() {
        // given
        HandshakeSlots.Slot first = take("a1");
        HandshakeSlots.Slot second = take("a2");
        HandshakeSlots.Slot gone = take("a3");

        // when
        slots.end(gone);
        slots.end(first);
        slots.end(second);

        // then
        assertThat(granted).containsExactly("a1", "a2");
        assertThat(slots.used()).isZero();
    }

    @Test
    void shouldKeepSlotsForOtherAddresses() {
        // given an address that takes all it can get
        take("a1");
        take("a2");
        take("a3");

        // when
        take("b1");

        // then
        assertThat(granted).containsExactly("a1", "a2", "b1");
    }

    @Test
    void shouldLetAddressesTakeTurns() {
        // given
        HandshakeSlots.Slot first = take("a1");
        take("a2");
        HandshakeSlots.Slot second = take("b1");
        HandshakeSlots.Slot third = take("b2");
        take("a3");
        take("a4");
        take("b3");
        take("c1");

        // when
        slots.end(first);
        slots.end(second);
        slots.end(third);

        // then
        assertThat(granted).containsExactly("a1", "a2", "b1", "b2", "a3", "b3", "c1");
        assertThat(slots.used()).isEqualTo(4);
    }
}
