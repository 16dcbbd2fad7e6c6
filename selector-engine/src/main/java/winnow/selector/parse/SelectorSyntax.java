package winnow.selector.parse;

import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.runtime.misc.IntervalSet;
import winnow.selector.check.SelectorLimits;
import winnow.selector.diagnose.Diagnosis;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.expression.Condition;
import winnow.selector.parse.MessageSelectorParser.RangeTailContext;

/// Parses message selectors.
///
/// The grammar needs one token of lookahead, so the generated parser never predicts: there is no
/// choice between ANTLR's SLL and LL modes to make, and its static prediction cache stays empty.
/// The lexer's static cache has one state per way to be inside a token, which the grammar bounds.
public final class SelectorSyntax {

    static {
        fillIntervalCache();
    }

    private SelectorSyntax() {}

    /// @throws InvalidSelectorSyntaxException if the text is not a selector
    public static Condition parse(String text, SelectorLimits limits) {
        SyntaxErrors.checkLength("selector", text, limits);
        try {
            return parseOrFail(text, limits);
        } catch (InvalidSelectorSyntaxException e) {
            throw Diagnosis.of(text, e, corrected -> isSelector(corrected, limits));
        }
    }

    private static boolean isSelector(String text, SelectorLimits limits) {
        if (text.length() > limits.maxTextLength()) {
            return false;
        }
        try {
            parseOrFail(text, limits);
            return true;
        } catch (InvalidSelectorSyntaxException _) {
            return false;
        }
    }

    private static Condition parseOrFail(String text, SelectorLimits limits) {
        MessageSelectorLexer lexer = new MessageSelectorLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        tokens.fill();
        new NestingGuard(limits).check(tokens.getTokens());
        MessageSelectorParser parser = new MessageSelectorParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(new SelectorErrors());
        return new ExpressionBuilder(limits).build(parser.selector());
    }

    /// ANTLR 4.13.2 fills this static cache without synchronization (antlr4 issue 4901). Filled
    /// once here, before the first parse, it is only read afterwards.
    static void fillIntervalCache() {
        for (int i = 0; i <= Interval.INTERVAL_POOL_MAX_VALUE; i++) {
            Interval.of(i, i);
        }
    }

    private static final class SelectorErrors extends SyntaxErrors {

        private static final String END = "the end of the selector";

        SelectorErrors() {
            super("selector");
        }

        @Override
        String expected(Parser parser, Token offending) {
            IntervalSet expected = parser.getExpectedTokens();
            if (expected.contains(MessageSelectorLexer.NOT)
                    && expected.contains(MessageSelectorLexer.IDENTIFIER)) {
                return "a condition";
            }
            if (expected.contains(MessageSelectorLexer.IDENTIFIER)) {
                return "a literal or an identifier";
            }
            if (expected.contains(MessageSelectorLexer.STRING)) {
                return "a string literal";
            }
            if (expected.contains(MessageSelectorLexer.LIKE)) {
                return "BETWEEN, IN or LIKE";
            }
            if (expected.contains(MessageSelectorLexer.NULL)) {
                return expected.contains(MessageSelectorLexer.NOT) ? "NULL or NOT NULL" : "NULL";
            }
            if (expected.contains(MessageSelectorLexer.OPEN)) {
                return "'('";
            }
            if (parser.getContext() instanceof RangeTailContext range) {
                return range.IN() != null ? "',' or ')'" : "AND";
            }
            String operator = isComparison(offending) ? "AND, OR" : "an operator";
            return operator + " or " + (expected.contains(Token.EOF) ? END : "')'");
        }

        private static boolean isComparison(Token token) {
            return token.getType() >= MessageSelectorLexer.EQUAL
                    && token.getType() <= MessageSelectorLexer.GREATER_OR_EQUAL;
        }

        @Override
        String found(Token offending) {
            String text = offending.getText();
            return switch (offending.getType()) {
                case Token.EOF -> END;
                case MessageSelectorLexer.UNTERMINATED_STRING ->
                        "a string without closing quote: " + quoted(text);
                case MessageSelectorLexer.MALFORMED_NUMBER ->
                        quoted(text) + ", which is not a number";
                case MessageSelectorLexer.COMMENT -> "'--' (there are no comments)";
                case MessageSelectorLexer.UNEXPECTED -> unexpected(text);
                default -> quoted(text);
            };
        }

        private static String unexpected(String text) {
            return switch (text) {
                case "\"" -> "'\"' (strings are in single quotes)";
                case "!" -> "'!' (not equal is <>)";
                case "%" -> "'%' (there is no remainder operator)";
                default -> quoted(text);
            };
        }
    }
}
