package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SelectorRehearsalTest {

    @Test
    void shouldMatchAsOftenOneByOneAsByTheIndex() {
        SelectorRehearsal.Matches matches = SelectorRehearsal.run();

        assertThat(matches.byIndex()).isPositive().isEqualTo(matches.oneByOne());
    }
}
