package winnow.selector.compile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.slot.Scratch;

class WildPartTest {

    private static final int[] CHARACTERS = {'a', 'a', 'a', 'b', 0xE9, 0x20AC, 0x1F600};

    private final Scratch scratch = new Scratch();

    private static int[] random(Random random, int length) {
        return random.ints(length, 0, CHARACTERS.length).map(i -> CHARACTERS[i]).toArray();
    }

    /// The end in bytes of the leftmost occurrence, found by trying every place.
    private static int expected(int[] text, int[] part) {
        for (int start = 0; start + part.length <= text.length; start++) {
            boolean matches = true;
            for (int i = 0; i < part.length; i++) {
                matches &= part[i] == LikeCompiler.ANY || part[i] == text[start + i];
            }
            if (matches) {
                return LikeCompiler.utf8(Arrays.copyOf(text, start + part.length)).length;
            }
        }
        return -1;
    }

    /// @param every one character in so many of the part is a wildcard
    @ParameterizedTest
    @CsvSource({"2, 2", "3, 2", "5, 2", "20, 2", "30, 3", "64, 2", "65, 4", "120, 2", "300, 5"})
    void shouldFindTheLeftmostOccurrence(int length, int every) {
        Random random = new Random(length);
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            // given
            int[] text = random(random, 2 * length + random.nextInt(2 * length));
            int start = random.nextInt(length);
            int[] part = Arrays.copyOfRange(text, start, start + length);
            for (int j = 1; j < length; j++) {
                part[j] = random.nextInt(every) == 0 ? LikeCompiler.ANY : part[j];
            }
            if (random.nextInt(4) == 0) {
                part[random.nextInt(length)] = 'c';
            }
            byte[] utf8 = new String(text, 0, text.length).getBytes(UTF_8);

            // when
            int end = new WildPart(part).endOfFirst(utf8, 0, utf8.length, scratch);

            // then
            assertThat(end).isEqualTo(expected(text, part));
            found += end > 0 ? 1 : 0;
        }
        assertThat(found).isBetween(1_000, 1_999);
    }
}
