package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsalTest {

    @Test
    void shouldMatchAsOftenOneByOneAsByTheIndex() {
        Rehearsal.Matches matches = Rehearsal.run();

        assertThat(matches.byIndex()).isPositive().isEqualTo(matches.oneByOne());
    }
}
