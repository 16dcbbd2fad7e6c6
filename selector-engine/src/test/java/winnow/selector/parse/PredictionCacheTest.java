package winnow.selector.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.dfa.DFA;
import org.junit.jupiter.api.Test;
import winnow.selector.check.SelectorLimits;
import winnow.selector.error.InvalidSelectorSyntaxException;

/// ANTLR's caches are static and never emptied, so what clients send must not make them grow.
class PredictionCacheTest {

    private static final String[] PIECES = {
        "a",
        "NOT",
        "AND",
        "OR",
        "IN",
        "(",
        ")",
        "'x'",
        ",",
        "1",
        "0x1F",
        "1.5e3f",
        "=",
        "<>",
        "<=",
        "BETWEEN",
        "LIKE",
        "ESCAPE",
        "IS",
        "NULL",
        "TRUE",
        "+",
        "-",
        "*",
        "/",
        "é",
        "\uD83D\uDE00",
        "'",
        "--",
        "08",
        "not",
        "nu",
        "x''",
        "9_",
        "\u0000",
        "%",
        "\"",
        "[",
        "[1;2]",
        "|",
        "\\"
    };

    @Test
    void shouldStaySmallWhateverIsParsed() {
        // when
        long early = parseAndCount(1, 2_000);
        long late = parseAndCount(2, 20_000);

        // then
        assertThat(late).isLessThan(400);
        assertThat(late - early).isLessThan(40);
    }

    private static long parseAndCount(long seed, int texts) {
        Random random = new Random(seed);
        for (int i = 0; i < texts; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(30); j >= 0; j--) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
                text.append(random.nextInt(4) == 0 ? "" : " ");
            }
            parse(text.toString());
        }
        return cachedStates();
    }

    private static void parse(String text) {
        try {
            SelectorSyntax.parse(text, SelectorLimits.DEFAULT);
        } catch (InvalidSelectorSyntaxException e) {
            assertThat(e.problem()).isNotEmpty();
        }
        try {
            CorrelationIdFilterSyntax.parse(text, SelectorLimits.DEFAULT);
        } catch (InvalidSelectorSyntaxException e) {
            assertThat(e.problem()).isNotEmpty();
        }
    }

    private static long cachedStates() {
        var selectorLexer = new MessageSelectorLexer(CharStreams.fromString(""));
        var filterLexer = new CorrelationIdFilterLexer(CharStreams.fromString(""));
        var selectorParser = new MessageSelectorParser(new CommonTokenStream(selectorLexer));
        var filterParser = new CorrelationIdFilterParser(new CommonTokenStream(filterLexer));
        assertThat(states(selectorParser.getInterpreter().decisionToDFA)).isZero();
        assertThat(states(filterParser.getInterpreter().decisionToDFA)).isZero();
        return states(selectorLexer.getInterpreter().decisionToDFA)
                + states(filterLexer.getInterpreter().decisionToDFA);
    }

    private static long states(DFA[] caches) {
        long states = 0;
        for (DFA cache : caches) {
            states += cache.states.size();
        }
        return states;
    }
}
