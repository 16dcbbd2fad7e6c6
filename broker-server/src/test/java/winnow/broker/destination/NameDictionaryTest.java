package winnow.broker.destination;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NameDictionaryTest {
    @Test
    void shouldHoldSoManyNames() {
        NameDictionary names = new NameDictionary(2);

        assertThat(names.intern("a")).isEqualTo(1);
        assertThat(names.intern("b")).isEqualTo(2);
        assertThat(names.intern("c")).isNull();
        assertThat(names.intern("a")).isEqualTo(1);
    }

    @Test
    void shouldHoldSoManyBytes() {
        // given room for 8 names of 64 bytes on average
        NameDictionary names = new NameDictionary(8);

        // when
        assertThat(names.intern("a".repeat(255))).isEqualTo(1);
        assertThat(names.intern("b".repeat(255))).isEqualTo(2);
        assertThat(names.intern("c".repeat(255))).isNull();

        // then
        assertThat(names.intern("de")).isEqualTo(3);
        assertThat(names.intern("f")).isNull();
        assertThat(names.size()).isEqualTo(3);
    }
}
