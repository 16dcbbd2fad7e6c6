package winnow.selector.parse;

import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;
import winnow.selector.check.Position;
import winnow.selector.check.SelectorLimits;

/// Ends parsing at the first syntax error and puts it into words.
abstract class SyntaxErrors extends BaseErrorListener {

    private static final int SHOWN_CHARACTERS = 40;

    private final String subject;

    /// @param subject what is parsed, for the message
    SyntaxErrors(String subject) {
        this.subject = subject;
    }

    /// Names what could stand where the parser is, in words.
    abstract String expected(Parser parser, Token offending);

    /// Names what stands there, in words.
    abstract String found(Token offending);

    @Override
    public final void syntaxError(
            Recognizer<?, ?> recognizer,
            @Nullable Object offendingSymbol,
            int line,
            int charPositionInLine,
            String message,
            @Nullable RecognitionException cause) {
        Parser parser = (Parser) recognizer;
        Token offending = offendingSymbol instanceof Token token ? token : parser.getCurrentToken();
        String expected = expected(parser, offending);
        int index = offending.getTokenIndex();
        if (index > 0) {
            expected += " after " + quoted(parser.getTokenStream().get(index - 1).getText());
        }
        throw new Position(subject, offending.getLine(), offending.getCharPositionInLine() + 1)
                .error(expected, found(offending));
    }

    static String quoted(String text) {
        if (text.startsWith("'")) {
            return shortened(text);
        }
        return "'" + shortened(text) + "'";
    }

    static void checkLength(String subject, String text, SelectorLimits limits) {
        if (text.length() > limits.maxTextLength()) {
            throw new Position(subject, 1, 1)
                    .error(
                            "at most %d characters (limit maxTextLength)"
                                    .formatted(limits.maxTextLength()),
                            Integer.toString(text.length()));
        }
    }

    private static String shortened(String text) {
        if (text.length() <= SHOWN_CHARACTERS) {
            return text;
        }
        int end = text.offsetByCodePoints(0, SHOWN_CHARACTERS - 3);
        return text.substring(0, end) + "...";
    }
}
