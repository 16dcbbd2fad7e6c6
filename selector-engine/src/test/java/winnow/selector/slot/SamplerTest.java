package winnow.selector.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SamplerTest {

    private static final int SAMPLES = 10_000;

    @Test
    void shouldPickOneInSoManyInTheMean() {
        // given
        Sampler sampler = new Sampler(256);
        long messages = 0;

        // when
        for (int i = 0; i < SAMPLES; i++) {
            messages += sampler.distance();
        }

        // then
        assertThat((double) messages / SAMPLES).isBetween(246.0, 266.0);
    }

    @Test
    void shouldPickEveryPlaceInARhythmAlike() {
        // given
        Sampler sampler = new Sampler(64);
        int[] picked = new int[8];
        int message = 0;

        // when
        for (int i = 0; i < SAMPLES; i++) {
            message = (message + sampler.distance()) % picked.length;
            picked[message]++;
        }

        // then
        for (int times : picked) {
            assertThat(times).isBetween(SAMPLES / 10, SAMPLES / 6);
        }
    }

    @Test
    void shouldPickEachWithPeriodOne() {
        // given
        Sampler sampler = new Sampler(1);

        // then
        for (int i = 0; i < SAMPLES; i++) {
            assertThat(sampler.distance()).isOne();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new Sampler(3));
    }
}
