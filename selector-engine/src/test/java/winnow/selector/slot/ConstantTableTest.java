package winnow.selector.slot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConstantTableTest {

    private static final int MANY = 3_000;

    private final ConstantTable table = new ConstantTable(1);

    /// All different, of 1 to some 40 bytes.
    private static String text(int i) {
        return Integer.toString(i, 36) + (i % 3 == 0 ? "É" : "X").repeat(i % 37);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private int find(String text) {
        byte[] within = bytes("before" + text + "behind");
        return table.find(within, 6, bytes(text).length);
    }

    @Test
    void shouldFindStringsOfAnyLength() {
        // given
        List<String> texts = new ArrayList<>();
        for (int length = 0; length <= 40; length++) {
            texts.add("x".repeat(length));
            texts.add("é".repeat(length));
        }
        texts.remove("");

        // when
        for (int i = 0; i < texts.size(); i++) {
            assertThat(find(texts.get(i))).isEqualTo(SlotValues.NO_CONSTANT);
            assertThat(table.add(bytes(texts.get(i)))).isEqualTo(i);
        }

        // then
        for (int i = 0; i < texts.size(); i++) {
            assertThat(find(texts.get(i))).isEqualTo(i);
            assertThat(table.text(i)).isEqualTo(texts.get(i));
            assertThat(table.use(bytes(texts.get(i)))).isEqualTo(i);
        }
        assertThat(find("x".repeat(41))).isEqualTo(SlotValues.NO_CONSTANT);
        assertThat(find("x".repeat(39) + "y")).isEqualTo(SlotValues.NO_CONSTANT);
    }

    @Test
    void shouldForgetAConstantAfterItsLastUse() {
        // given
        table.add(bytes("a"));
        table.add(bytes("a long constant"));
        table.use(bytes("a"));
        table.use(bytes("a long constant"));

        for (int number = 0; number < 2; number++) {
            // when
            table.release(number);

            // then
            assertThat(find(table.text(number))).isEqualTo(number);
        }

        // when
        table.release(0);
        table.release(1);

        // then
        assertThat(find("a")).isEqualTo(SlotValues.NO_CONSTANT);
        assertThat(find("a long constant")).isEqualTo(SlotValues.NO_CONSTANT);
        assertThat(table.size()).isZero();
        assertThatThrownBy(() -> table.text(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.release(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.text(1_000)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldGiveAFreeNumberToAnother() {
        // given
        for (String text : List.of("first", "the second one", "third")) {
            table.add(bytes(text));
        }
        table.release(1);

        // when
        assertThat(table.add(bytes("another long one"))).isEqualTo(1);

        // then
        assertThat(find("the second one")).isEqualTo(SlotValues.NO_CONSTANT);
        assertThat(find("another long one")).isEqualTo(1);
        assertThat(find("third")).isEqualTo(2);
    }

    @Test
    void shouldFindConstantsWithHighNumbersAfterMostAreGone() {
        // given
        for (int i = 0; i < MANY; i++) {
            table.add(bytes(text(i)));
        }

        // when
        for (int i = 0; i < MANY - 2; i++) {
            table.release(i);
        }

        // then
        assertThat(find(text(MANY - 1))).isEqualTo(MANY - 1);
        assertThat(find(text(MANY - 2))).isEqualTo(MANY - 2);
        for (int i = 0; i < MANY - 2; i++) {
            assertThat(table.add(bytes(text(i)))).isEqualTo(i);
            assertThat(find(text(i))).isEqualTo(i);
        }
        assertThat(find(text(MANY - 1))).isEqualTo(MANY - 1);
    }

    @Test
    void shouldFindWhatIsThereHoweverMuchComesAndGoes() {
        // given
        Random random = new Random(1);
        Map<String, Integer> numbers = new HashMap<>();
        List<String> present = new ArrayList<>();

        for (int round = 0; round < 40; round++) {
            int wanted = 1 << random.nextInt(12);

            // when
            while (present.size() != wanted) {
                if (present.size() < wanted) {
                    String text = text(random.nextInt(100_000));
                    int known = table.use(bytes(text));
                    if (known == SlotValues.NO_CONSTANT) {
                        numbers.put(text, table.add(bytes(text)));
                        present.add(text);
                    } else {
                        assertThat(numbers).containsEntry(text, known);
                        table.release(known);
                    }
                } else {
                    int gone = random.nextInt(present.size());
                    table.release(Objects.requireNonNull(numbers.remove(present.get(gone))));
                    present.set(gone, present.getLast());
                    present.removeLast();
                }
            }

            // then
            assertThat(table.size()).isEqualTo(numbers.size());
            numbers.forEach((text, number) -> {
                assertThat(find(text)).isEqualTo(number);
                assertThat(table.text(number)).isEqualTo(text);
            });
        }
    }

    @Test
    void shouldNotTakeOneStringForAnotherWithTheSameBitsOfTheHash() {
        for (String end : List.of("", "same end")) {
            // given
            ConstantTable ofSameEnd = new ConstantTable(1);
            for (int i = 0; i < MANY; i++) {
                ofSameEnd.add(numbered(i, end));
            }

            // when
            int found = 0;
            byte[] utf8 = numbered(0, end);
            for (int i = MANY; i < 6_000_000; i++) {
                writeNumber(i, utf8);
                found += ofSameEnd.find(utf8, 0, utf8.length) == SlotValues.NO_CONSTANT ? 0 : 1;
            }

            // then
            assertThat(found).isZero();
        }
    }

    private static byte[] numbered(int i, String end) {
        byte[] utf8 = bytes("1234567" + end);
        writeNumber(i, utf8);
        return utf8;
    }

    private static void writeNumber(int i, byte[] utf8) {
        int rest = i;
        for (int digit = 6; digit >= 0; digit--) {
            utf8[digit] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
