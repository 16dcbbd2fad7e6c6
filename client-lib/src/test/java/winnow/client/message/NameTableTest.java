package winnow.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.wire.WireException;

class NameTableTest {
    private final NameTable names = new NameTable();

    @Test
    void shouldAskOnceAndLearn() {
        // given
        assertThat(names.number("a")).isZero();
        assertThat(names.number("a")).isZero();
        assertThat(names.number("b")).isZero();

        // when
        assertThat(names.takeRequests()).containsExactly("a", "b");
        names.add(1, List.of("a"));
        names.add(2, List.of("b", "c"));

        // then
        assertThat(names.hasRequests()).isFalse();
        assertThat(names.number("a")).isEqualTo(1);
        assertThat(names.number("c")).isEqualTo(3);
        assertThat(names.name(2)).isEqualTo("b");
        assertThat(names.name(0)).isNull();
        assertThat(names.name(4)).isNull();
    }

    @Test
    void shouldAcceptNumbersAgainButNoGap() {
        // given
        names.add(1, List.of("a", "b"));

        // when
        names.add(1, List.of("a", "b", "c"));

        // then
        assertThat(names.name(3)).isEqualTo("c");
        assertThatThrownBy(() -> names.add(5, List.of("e")))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a first number of 1 to 4, found 5");
        assertThatThrownBy(() -> names.add(0, List.of("z"))).isInstanceOf(WireException.class);
    }

    @Test
    void shouldTakeNoMoreNamesThanTheHeapHolds() {
        // given
        NameTable small = new NameTable(new NameMemory(1000));
        small.add(1, List.of("a", "b", "c"));
        small.add(1, List.of("a", "b", "c"));

        // when, then
        assertThatThrownBy(() -> small.add(4, List.of("x".repeat(300))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected 1000 bytes of the heap");
        assertThat(small.name(4)).isNull();
    }

    @Test
    void shouldShareTheHeapWithOtherConnectionsUntilTheyEnd() {
        // given
        NameMemory memory = new NameMemory(1000);
        NameTable first = new NameTable(memory);
        NameTable second = new NameTable(memory);
        first.add(1, List.of("x".repeat(300)));

        // when, then
        assertThatThrownBy(() -> second.add(1, List.of("y".repeat(300))))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected 1000 bytes of the heap")
                .hasMessageContaining("found 1456");
        first.close();
        first.close();
        second.add(1, List.of("y".repeat(300)));
        assertThat(memory.usedBytes()).isEqualTo(728);
    }

    @Test
    void shouldStopAskingForNewNames() {
        // given
        for (int i = 0; i <= NameTable.MAX_REQUESTS; i++) {
            names.number("name" + i);
        }

        // when
        List<String> requests = names.takeRequests();

        // then
        assertThat(requests).hasSize(NameTable.MAX_REQUESTS);
    }
}
