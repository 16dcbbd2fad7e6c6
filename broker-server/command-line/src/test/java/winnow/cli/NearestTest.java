package winnow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

    @Test
    void shouldCountLettersThatDiffer() {
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("abc", "ABC")).isZero();
        assertThat(Nearest.distance("qeuue", "queue")).isEqualTo(1);
    }

    @Test
    void shouldFindTheNearestOrNothing() {
        assertThat(Nearest.to("queu", List.of("topic", "queue"))).contains("queue");
        assertThat(Nearest.to("backup", List.of("topic", "queue"))).isEmpty();
    }
}
