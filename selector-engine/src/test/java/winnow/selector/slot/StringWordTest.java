package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StringWordTest {

    private static final long SEED = 0x1234_5678_9ABC_DEF0L;

    private static long word(String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        return StringWord.of(utf8, 0, utf8.length, SEED);
    }

    private static long first(String text) {
        return StringWord.first(word(text), text.getBytes(UTF_8), 0);
    }

    /// With what is before and behind it, a string is as far from the array's ends as it may be.
    private static long wordWithin(byte[] before, String text, byte[] behind) {
        byte[] utf8 = text.getBytes(UTF_8);
        byte[] all = new byte[before.length + utf8.length + behind.length];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(utf8, 0, all, before.length, utf8.length);
        System.arraycopy(behind, 0, all, before.length + utf8.length, behind.length);
        return StringWord.of(all, before.length, utf8.length, SEED);
    }

    @Test
    void shouldSayAllOfAShortString() {
        for (String text :
                List.of(
                        "",
                        "a",
                        "ab",
                        "abc",
                        "abcd",
                        "abcde",
                        "abcdef",
                        "abcdefg",
                        "abcdefgh",
                        "\0",
                        "\0\0\0",
                        "a\0",
                        "é",
                        "日本",
                        "\uD83D\uDE00abc",
                        "\0\0\0\0\0\0\0\0")) {
            // when
            long word = word(text);

            // then
            assertThat(StringWord.isPair(word)).as(text).isFalse();
            assertThat(StringWord.isHashed(word)).as(text).isFalse();
            assertThat(StringWord.text(word, 0)).isEqualTo(text);
        }
    }

    @Test
    void shouldSayAllOfALongerStringByTwoWords() {
        for (String text :
                List.of(
                        "abcdefghi",
                        "abcdefghijklmno",
                        // Eight bytes that are not ASCII.
                        "abcdefé",
                        "éabcdef",
                        "\0\0\0\0\0\0\0\0\0",
                        "日本日本日")) {
            // when
            long word = word(text);

            // then
            assertThat(StringWord.isPair(word)).as(text).isTrue();
            assertThat(StringWord.isHashed(word)).as(text).isFalse();
            assertThat(StringWord.text(word, first(text))).isEqualTo(text);
        }
    }

    @Test
    void shouldHashALongString() {
        for (int length = 16; length < 40; length++) {
            assertThat(StringWord.isHashed(word("x".repeat(length)))).isTrue();
            assertThat(StringWord.isPair(word("x".repeat(length)))).isFalse();
        }
    }

    @Test
    void shouldBeTheSameWhereverTheStringIs() {
        // given
        Random random = new Random(1);

        for (int length = 0; length <= 40; length++) {
            String text = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH".substring(0, length);
            for (int bytesBefore = 0; bytesBefore < 10; bytesBefore++) {
                byte[] before = new byte[bytesBefore];
                byte[] behind = new byte[random.nextInt(10)];
                random.nextBytes(before);
                random.nextBytes(behind);

                // when
                long word = wordWithin(before, text, behind);

                // then
                assertThat(word)
                        .as("%d bytes behind %d", length, bytesBefore)
                        .isEqualTo(word(text));
            }
        }
    }

    @Test
    void shouldTellAllStringsApart() {
        // given
        Set<String> texts = new HashSet<>();
        Random random = new Random(1);
        while (texts.size() < 100_000) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                text.append("\0aé\u007F".charAt(random.nextInt(4)));
            }
            texts.add(text.toString());
        }

        // when
        Set<List<Long>> words = new HashSet<>();
        texts.forEach(text -> words.add(List.of(word(text), first(text))));

        // then
        assertThat(words).hasSameSizeAs(texts);
    }

    @Test
    void shouldHashDependingOnTheSeed() {
        // given
        byte[] utf8 = "a long string of words".getBytes(UTF_8);

        // then
        assertThat(StringWord.of(utf8, 0, utf8.length, 1))
                .isNotEqualTo(StringWord.of(utf8, 0, utf8.length, 2));
    }
}
