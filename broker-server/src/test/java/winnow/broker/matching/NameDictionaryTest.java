package winnow.broker.matching;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NameDictionaryTest {
    @Test
    void shouldHoldSoManyNames() {
        NameDictionary names = new NameDictionary(4);

        assertThat(names.intern("a", "ann")).isEqualTo(1);
        assertThat(names.intern("b", "ann")).isEqualTo(2);
        assertThat(names.intern("c", "ann")).isNull();
        assertThat(names.intern("a", "ann")).isEqualTo(1);
    }

    @Test
    void shouldHoldSoManyBytes() {
        // given room for 16 names of 64 bytes on average, half of it for each owner
        NameDictionary names = new NameDictionary(16);

        // when
        assertThat(names.intern("a".repeat(255), "ann")).isEqualTo(1);
        assertThat(names.intern("b".repeat(255), "ann")).isEqualTo(2);
        assertThat(names.intern("c".repeat(255), "ann")).isNull();

        // then
        assertThat(names.intern("de", "ann")).isEqualTo(3);
        assertThat(names.intern("f", "ann")).isNull();
        assertThat(names.size()).isEqualTo(3);
    }

    @Test
    void shouldKeepRoomForOthers() {
        // given one that brings as many names as it may, and a second one
        NameDictionary names = new NameDictionary(1000);
        int first = fill(names, "ann");
        int second = fill(names, "bob");

        // when
        int third = fill(names, "eve");

        // then
        assertThat(first).isEqualTo(500);
        assertThat(second).isEqualTo(250);
        assertThat(third).isEqualTo(125);
        assertThat(names.intern("eve0", "new")).isEqualTo(751);
        assertThat(names.intern("one", "new")).isEqualTo(876);
    }

    /// @return how many names got a number
    private static int fill(NameDictionary names, String owner) {
        int filled = 0;
        for (int i = 0; i < 2000; i++) {
            if (names.intern(owner + i, owner) != null) {
                filled++;
            }
        }
        return filled;
    }
}
