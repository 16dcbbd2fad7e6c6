package winnow.broker.matching;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorSpacingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    a = 1                     | a=1
                    " a\t=\n1 "             | a=1
                    NOT a AND  b              | NOT a AND b
                    NOT(a)AND(b)              | NOT(a)AND(b)
                    NOT ( a ) AND ( b )       | NOT(a)AND(b)
                    s = 'a  b' OR s = ' '     | s='a  b'OR s=' '
                    s = 'it''s  ' AND t       | s='it''s  'AND t
                    s IN ( 'a' , 'b' )        | s IN('a','b')
                    a - -1 > 5                | a--1>5
                    s LIKE 'a' ESCAPE '\\'  | s LIKE'a'ESCAPE'\\'
                    """)
    void shouldKeepTheSpaceThatWordsNeed(String selector, String least) {
        // when, then
        assertThat(SelectorSpacing.least(selector)).isEqualTo(least);
    }
}
