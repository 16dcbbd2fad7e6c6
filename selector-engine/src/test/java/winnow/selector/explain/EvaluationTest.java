package winnow.selector.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.selector.engine.Selector;
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
                        new AtomTruth("p = 1", Truth.TRUE, false),
                        new AtomTruth("s LIKE 'a%'", Truth.TRUE, false),
                        new AtomTruth("missing > 2", Truth.UNKNOWN, true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    t AND f AND u          ; f
                    t AND u AND x IS NULL  ; u
                    t OR f                 ; t
                    f OR NOT t             ; f,t
                    f OR u                 ; u
                    NOT (t AND f)          ; f
                    t AND (f OR u)         ; u
                    """)
    void shouldTellWhichAtomsDecide(String text, String deciding) {
        // when
        Evaluation evaluation =
                Evaluation.of(Selector.parse(text).expression(), Map.of("t", true, "f", false));

        // then
        assertThat(evaluation.atoms().stream().filter(AtomTruth::decides).map(AtomTruth::text))
                .containsExactly(deciding.split(",", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    p > 5              ; TYPE_HERE
                    p = 5              ; TYPE_HERE
                    p + 1 > 5          ; TYPE_HERE
                    p = 'a'            ; ~~
                    p = q              ; ~~
                    p LIKE 'a%'        ; ~~
                    n LIKE 'a%'        ; TYPE_HERE
                    p BETWEEN 1 AND 2  ; TYPE_HERE
                    n = TRUE           ; TYPE_HERE
                    n                  ; TYPE_HERE
                    n > 5              ; ~~
                    N > 5              ; NAME_CASE
                    x > 5              ; ~~
                    p IS NULL          ; ~~
                    """)
    void shouldWarnOfValuesThatTheSelectorIsNotFor(String text, String kind) {
        // when
        Evaluation evaluation =
                Evaluation.of(Selector.parse(text).expression(), Map.of("p", "7", "n", 7));

        // then
        assertThat(evaluation.warnings().stream().map(w -> w.kind().name()))
                .containsExactlyElementsOf(kind.isEmpty() ? List.of() : List.of(kind));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            textBlock =
                    """
                    p = 7              ; p = '7'
                    p <> 7.5           ; p <> '7.5'
                    p > 5              ; ~~
                    p BETWEEN 1 AND 2  ; ~~
                    yes = TRUE         ; yes = 'true'
                    yes                ; yes = 'true'
                    n = '5'            ; n = 5
                    n = 'a'            ; ~~
                    n IN ('5', '7')    ; n = 5 OR n = 7
                    n IN ('5', 'a')    ; ~~
                    on = 'false'       ; on = FALSE
                    on = '1'           ; ~~
                    N = 5 AND p <> 'N' ; n = 5
                    JMSDeliveryMode = 2 ; JMSDeliveryMode = 'PERSISTENT'
                    """)
    void shouldCorrectASelectorThatIsNotForAValue(String text, String suggestion) {
        // when
        Evaluation evaluation =
                Evaluation.of(
                        Selector.parse(text).expression(),
                        Map.of(
                                "p",
                                "7",
                                "n",
                                7,
                                "on",
                                true,
                                "yes",
                                "true",
                                "JMSDeliveryMode",
                                "PERSISTENT"));

        // then
        assertThat(evaluation.warnings())
                .singleElement()
                .extracting(Warning::suggestion)
                .isEqualTo(suggestion.isEmpty() ? null : suggestion);
    }

    @Test
    void shouldSayThatStringsHaveNoOrder() {
        assertThat(Evaluation.of(Selector.parse("p > 5").expression(), Map.of("p", "7")).warnings())
                .singleElement()
                .extracting(Warning::message)
                .isEqualTo(
                        "p is a string here and is compared with a number; strings have no order,"
                                + " so the producer has to set a number");
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
