package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.selector.engine.Verdicts.truthOf;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.selector.expression.Truth;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

class LikeTest {

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/match-a-pattern.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldMatchAPattern(String value, String pattern, Truth expected) {
        // when
        Truth truth = truthOf("s LIKE " + pattern, Map.of("s", value));

        // then
        assertThat(truth).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "a%b", "a_b", "%a_b%", "_\n_", "%\n%"})
    void shouldLetWildcardsStandForLineTerminators(String pattern) {
        // when
        Truth truth = truthOf("s LIKE '" + pattern + "'", Map.of("s", "a\nb"));

        // then
        assertThat(truth).isEqualTo(Truth.TRUE);
    }

    @Test
    void shouldBeFalseForWhatIsNotAString() {
        // given
        Map<String, Object> message = Map.of("i", 5, "b", true, "o", new byte[0]);

        // then
        assertThat(truthOf("i LIKE '%'", message)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("i LIKE '5'", message)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("i NOT LIKE '5'", message)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("b LIKE 'TRUE'", message)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("o NOT LIKE '%'", message)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("missing NOT LIKE '%'", message)).isEqualTo(Truth.UNKNOWN);
    }

    @Test
    void shouldSearchPartsLongerThanAMachineWord() {
        // given
        String letters = "abcdefghij".repeat(20);
        String part = letters.replace('e', '_');
        Map<String, Object> message = Map.of("s", "xx" + letters.replace('e', 'E') + "yy");

        // then
        assertThat(truthOf("s LIKE '%" + part + "%'", message)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("s LIKE '%" + part + "_y%'", message)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("s LIKE '%" + part + "_z%'", message)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("s LIKE '%a" + part + "%'", message)).isEqualTo(Truth.FALSE);
    }

    /// Up to eight bytes are compared as one number.
    @Test
    void shouldFindPartsAndPrefixesOfAnyLength() {
        for (int length = 1; length <= 12; length++) {
            // given
            String part = "ababacababac".substring(0, length);
            String other = part.substring(1) + "é";

            // then
            for (String before : List.of("", "a", "ab", "\0\0", "abababab", "ü")) {
                Map<String, Object> message = Map.of("s", before + part);
                assertThat(truthOf("s LIKE '%" + part + "%'", message)).isEqualTo(Truth.TRUE);
                assertThat(truthOf("s LIKE '%" + other + "%'", message)).isEqualTo(Truth.FALSE);
                assertThat(truthOf("s LIKE '" + before + part + "%'", message))
                        .isEqualTo(Truth.TRUE);
                assertThat(truthOf("s LIKE '" + before + other + "%'", message))
                        .isEqualTo(Truth.FALSE);
            }
            Map<String, Object> shorter = Map.of("s", part.substring(1));
            assertThat(truthOf("s LIKE '%" + part + "%'", shorter)).isEqualTo(Truth.FALSE);
            assertThat(truthOf("s LIKE '" + part + "%'", shorter)).isEqualTo(Truth.FALSE);
        }
    }

    @Test
    void shouldNotTakeWhatIsMissingForZeros() {
        // given
        Map<String, Object> message = Map.of("s", "\0a");

        // then
        assertThat(truthOf("s LIKE '%\0a%'", message)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("s LIKE '%\0\0a%'", message)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("s LIKE '\0a\0%'", message)).isEqualTo(Truth.FALSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%a_b%", "_%_", "%é%__é", "\uD83D\uDE00_%", "%__%", "é%"})
    void shouldBeTrueOrFalseForBytesThatAreNotUtf8(String pattern) {
        // given
        Slots slots = new Slots(1);
        Matcher like = Selector.parse("s LIKE '" + pattern + "'").bind(slots);
        Matcher notLike = Selector.parse("s NOT LIKE '" + pattern + "'").bind(slots);
        SlotValues values = new SlotValues();
        byte[] bytes = new byte[8];

        for (int seed = 0; seed < 5_000; seed++) {
            // when
            new Random(seed).nextBytes(bytes);
            values.reset(slots);
            values.setString(slots.slotOf("s"), bytes, seed % 4, seed % 5);

            // then
            assertThat(like.matches(values)).isNotEqualTo(notLike.matches(values));
        }
    }
}
