package winnow.loadgen.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BareSocketTest {

    @Test
    void shouldCarryMessagesOfEverySize() throws Exception {
        // when
        var rates = BareSocket.measure(List.of(0, 1_024, 1 << 20), Duration.ofMillis(100));

        // then
        assertThat(rates).extracting(SocketRate::bodyBytes).containsExactly(0, 1_024, 1 << 20);
        assertThat(rates).allSatisfy(rate -> assertThat(rate.messagesPerSecond()).isPositive());
    }
}
