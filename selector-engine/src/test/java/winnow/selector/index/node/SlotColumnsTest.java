package winnow.selector.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotColumnsTest {

    @Test
    void shouldFindTheColumnOfEachSlotAndNoOther() {
        for (int seed = 0; seed < 200; seed++) {
            int[] slots =
                    new Random(seed)
                            .ints(0, 200)
                            .map(i -> i % 5 * 1_000 + i)
                            .distinct()
                            .limit(seed % (Columns.MAX_COLUMNS + 1))
                            .toArray();
            assertColumns(slots);
        }
    }

    @Test
    void shouldTellSlotsApartThatShareAPlace() {
        assertColumns(new int[] {31, 63, 95, 0, 32, 64, 1, 33, 127, 255, 30, 62});
    }

    private static void assertColumns(int[] slots) {
        SlotColumns columns = new SlotColumns(slots);
        for (int column = 0; column < slots.length; column++) {
            assertThat(columns.of(slots[column])).isEqualTo(column);
        }
        for (int slot = 0; slot < 300; slot++) {
            int one = slot;
            if (Arrays.stream(slots).noneMatch(each -> each == one)) {
                assertThat(columns.of(slot)).isEqualTo(SlotColumns.NONE);
            }
        }
    }
}
