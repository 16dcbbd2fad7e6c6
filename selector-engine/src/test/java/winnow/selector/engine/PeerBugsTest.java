package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.selector.engine.Verdicts.truthOf;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import winnow.selector.expression.Truth;

/// Selectors that at least one of Artemis, ActiveMQ Classic and Qpid Broker-J answers wrongly.
class PeerBugsTest {

    private static final Map<String, Object> MESSAGE = message();

    private static Map<String, Object> message() {
        Map<String, Object> message = new HashMap<>();
        message.put("i", 5);
        message.put("sh", (short) 5);
        message.put("by", (byte) 5);
        message.put("l", 5L);
        message.put("f", 5f);
        message.put("d", 5.0);
        message.put("s", "abc");
        message.put("b", true);
        message.put("z", 0);
        message.put("nz", -0.0);
        message.put("nan", Double.NaN);
        message.put("state", "PERSISTENT");
        return message;
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/winnow/selector/peer-bugs.csv",
            delimiter = '|',
            quoteCharacter = '~')
    void shouldAnswerAsTheSpecificationDoes(String selector, Truth expected) {
        // when
        Truth truth = truthOf(selector, MESSAGE);

        // then
        assertThat(truth).isEqualTo(expected);
    }

    /// What was wrong with the equations that look right; each was once believed.
    @Test
    void shouldNotSimplifyWhatOnlyLooksEquivalent() {
        // given
        Map<String, Object> text = Map.of("m", "abc");
        Map<String, Object> nothing = Map.of();

        // then
        assertThat(truthOf("NOT (m > 2)", text)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("m <= 2", text)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("m NOT BETWEEN 1 AND 2", text)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("NOT (m BETWEEN 1 AND 2)", text)).isEqualTo(Truth.TRUE);
        assertThat(truthOf("m = 5 OR m <> 5", text)).isEqualTo(Truth.FALSE);
        assertThat(truthOf("m = 5 OR m <> 5", nothing)).isEqualTo(Truth.UNKNOWN);
        assertThat(truthOf("m LIKE '%'", nothing)).isEqualTo(Truth.UNKNOWN);
        assertThat(truthOf("m LIKE '%'", Map.of("m", 5))).isEqualTo(Truth.FALSE);
    }
}
