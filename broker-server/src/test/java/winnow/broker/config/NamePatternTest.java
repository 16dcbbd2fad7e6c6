package winnow.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {
    @ParameterizedTest
    @CsvSource({
        "orders,orders,true", "orders,orders2,false", "*,'',true", "'','',true", "'',a,false",
        "a*,a,true", "a*,ba,false", "*a,bca,true", "a*c*e,abcde,true", "a*c*e,abcd,false",
        "a**b,ab,true", "*.*,a.b,true", "*.*,ab,false", "a.c,abc,false", "*aab,aaaab,true"
    })
    void shouldLetAStarStandForAnyText(String pattern, String name, boolean fits) {
        assertThat(new NamePattern(pattern).fits(name)).isEqualTo(fits);
    }

    @Test
    void shouldAgreeWithRegularExpressions() {
        // given
        long seed = Long.getLong("winnow.seed", System.nanoTime());
        Random random = new Random(seed);

        // then
        for (int i = 0; i < 20_000; i++) {
            String pattern = text(random, "ab*");
            String name = text(random, "ab");
            String regex = pattern.replace("*", ".*");
            assertThat(new NamePattern(pattern).fits(name))
                    .as("%s, %s, -Dwinnow.seed=%d", pattern, name, seed)
                    .isEqualTo(Pattern.matches(regex, name));
        }
    }

    private static String text(Random random, String letters) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(8); left > 0; left--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    @Test
    void shouldNotTakeLongForManyStars() {
        // a search that tried each way to share the text among the stars would not end
        assertThat(new NamePattern("*a".repeat(2_000) + "b").fits("a".repeat(4_000))).isFalse();
    }
}
