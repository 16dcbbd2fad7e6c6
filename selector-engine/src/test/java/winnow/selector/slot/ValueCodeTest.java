package winnow.selector.slot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueCodeTest {
    private static final float[] ASCENDING = {
        Float.NEGATIVE_INFINITY,
        -Float.MAX_VALUE,
        -1e10f,
        -1,
        -Float.MIN_NORMAL,
        0,
        Float.MIN_NORMAL,
        0.1f,
        1,
        1e10f,
        Float.MAX_VALUE,
        Float.POSITIVE_INFINITY
    };

    @Test
    void shouldKeepTheOrderOfNumbers() {
        for (int i = 1; i < ASCENDING.length; i++) {
            assertThat(ValueCode.ofNumber(ASCENDING[i]))
                    .isGreaterThan(ValueCode.ofNumber(ASCENDING[i - 1]));
        }
        float next = Math.nextUp(5f);
        assertThat(ValueCode.ofNumber(next)).isGreaterThanOrEqualTo(ValueCode.ofNumber(5f));
    }

    @Test
    void shouldTellNumbersFromStringsAndMissingValues() {
        assertThat(ValueCode.ofNumber(Float.NEGATIVE_INFINITY)).isNotNegative();
        assertThat(ValueCode.ofConstant(0)).isNegative().isGreaterThan(ValueCode.OTHER);
        assertThat(ValueCode.ofConstant((1 << 30) - 1)).isNegative();
        assertThat(ValueCode.ofConstant(SlotValues.NO_CONSTANT)).isEqualTo(ValueCode.OTHER);
        assertThat(ValueCode.OTHER).isGreaterThan(ValueCode.MISSING);
    }

    @Test
    void shouldTakeNegativeZeroForZeroAndNaNForNoNumber() {
        assertThat(ValueCode.ofNumber(-0.0f)).isEqualTo(ValueCode.ofNumber(0.0f));
        assertThat(ValueCode.ofNumber(Float.NaN)).isEqualTo(ValueCode.OTHER);
    }

    @Test
    void shouldKeepNumbersInTheirOrder() {
        for (int i = 0; i < ASCENDING.length; i++) {
            int order = ValueCode.order(ASCENDING[i]);
            assertThat(ValueCode.numberOf(order)).isEqualTo(ASCENDING[i]);
            assertThat(ValueCode.ofOrder(order)).isEqualTo(ValueCode.ofNumber(ASCENDING[i]));
            assertThat(i == 0 || order > ValueCode.order(ASCENDING[i - 1])).isTrue();
        }
        assertThat(ValueCode.order(-0.0f)).isEqualTo(ValueCode.order(0.0f));
    }
}
