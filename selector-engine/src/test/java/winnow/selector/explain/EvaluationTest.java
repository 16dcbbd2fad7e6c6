package winnow.selector.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.selector.Selector;
import winnow.selector.explain.Evaluation.AtomTruth;
import winnow.selector.expression.Truth;

class EvaluationTest {

    @Test
    void shouldTellTheValueOfEachDistinctAtom() {
        // given
        Selector selector = Selector.parse("p=1 AND (NOT s LIKE 'a%' OR p=1) AND missing > 2");

        // when
        Evaluation evaluation = Evaluation.of(selector.expression(), Map.of("p", 1, "s", "abc"));

        // then
        assertThat(evaluation.truth()).isEqualTo(Truth.UNKNOWN);
        assertThat(evaluation.atoms())
                .containsExactly(
                        new AtomTruth("p = 1", Truth.TRUE),
                        new AtomTruth("s LIKE 'a%'", Truth.TRUE),
                        new AtomTruth("missing > 2", Truth.UNKNOWN));
    }

    @Test
    void shouldTakeEveryTypeOfProperty() {
        // given
        Map<String, Object> message =
                Map.of(
                        "b",
                        (byte) 1,
                        "s",
                        (short) 2,
                        "i",
                        3,
                        "l",
                        4L,
                        "f",
                        0.1f,
                        "d",
                        0.1,
                        "t",
                        true,
                        "o",
                        new byte[1],
                        "JMSPriority",
                        4);
        String text =
                "b = 1 AND s = 2 AND i = 3 AND l = 4 AND f = 0.1f AND d = 0.1 AND t"
                        + " AND o IS NOT NULL AND JMSPriority = 4";

        // when
        Evaluation evaluation = Evaluation.of(Selector.parse(text).expression(), message);

        // then
        assertThat(evaluation.truth()).isEqualTo(Truth.TRUE);
        assertThat(evaluation.atoms()).hasSize(9);
    }
}
