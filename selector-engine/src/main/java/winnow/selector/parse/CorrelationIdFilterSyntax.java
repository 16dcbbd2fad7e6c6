package winnow.selector.parse;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;
import winnow.selector.check.LikeRules;
import winnow.selector.check.Position;
import winnow.selector.check.ScanBudget;
import winnow.selector.check.SelectorLimits;
import winnow.selector.diagnose.Diagnosis;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.Or;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;
import winnow.selector.parse.CorrelationIdFilterParser.BoundContext;
import winnow.selector.parse.CorrelationIdFilterParser.ItemContext;
import winnow.selector.parse.CorrelationIdFilterParser.RangeContext;
import winnow.selector.parse.CorrelationIdFilterParser.TextContext;

/// Parses correlation-ID filters into conditions over `JMSCorrelationID`: exact texts become `=` or
/// IN, wildcards LIKE, and ranges [SuffixRange].
public final class CorrelationIdFilterSyntax {

    private static final String SUBJECT = "correlation ID filter";
    private static final Identifier CORRELATION_ID = new Identifier("JMSCorrelationID");

    static {
        SelectorSyntax.fillIntervalCache();
    }

    private CorrelationIdFilterSyntax() {}

    /// @throws InvalidSelectorSyntaxException if the text is not a filter
    public static Condition parse(String text, SelectorLimits limits) {
        SyntaxErrors.checkLength(SUBJECT, text, limits);
        try {
            return parseOrFail(text, limits);
        } catch (InvalidSelectorSyntaxException e) {
            throw Diagnosis.placed(text, e);
        }
    }

    private static Condition parseOrFail(String text, SelectorLimits limits) {
        CorrelationIdFilterLexer lexer = new CorrelationIdFilterLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        CorrelationIdFilterParser parser =
                new CorrelationIdFilterParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(new FilterErrors());
        List<ItemContext> items = parser.filter().item();
        if (items.size() > limits.maxOperands()) {
            throw error(
                    items.get(limits.maxOperands()).getStart(),
                    "at most %d alternatives (limit maxOperands)".formatted(limits.maxOperands()),
                    Integer.toString(items.size()));
        }
        return condition(items, limits);
    }

    private static Condition condition(List<ItemContext> items, SelectorLimits limits) {
        ScanBudget budget = new ScanBudget(limits);
        Set<String> exact = new LinkedHashSet<>();
        Set<Condition> others = new LinkedHashSet<>();
        for (ItemContext item : items) {
            if (item.range() != null) {
                SuffixRange range = range(item.range());
                if (others.add(range) && range.isLimitless()) {
                    budget.pass(position(item.getStart()));
                }
            } else {
                LikePattern pattern = pattern(item.text(), limits);
                if (pattern.isExact()) {
                    exact.add(pattern.unescaped());
                } else if (others.add(new Like(CORRELATION_ID, pattern))) {
                    budget.like(pattern, position(item.getStart()));
                }
            }
        }
        List<Condition> all = new ArrayList<>();
        if (exact.size() == 1) {
            all.add(
                    new Comparison(
                            CORRELATION_ID,
                            ComparisonOperator.EQUAL,
                            new StringLiteral(exact.iterator().next())));
        } else if (!exact.isEmpty()) {
            all.add(new In(CORRELATION_ID, List.copyOf(exact)));
        }
        all.addAll(others);
        return all.size() == 1 ? all.getFirst() : new Or(all);
    }

    private static LikePattern pattern(TextContext text, SelectorLimits limits) {
        LikePattern.Builder builder = LikePattern.builder();
        for (ParseTree child : text.children) {
            Token token = ((TerminalNode) child).getSymbol();
            switch (token.getType()) {
                case CorrelationIdFilterLexer.ANY_RUN -> builder.anyRun();
                case CorrelationIdFilterLexer.ANY_CHARACTER -> builder.anyCharacter();
                default -> plain(token).codePoints().forEach(builder::character);
            }
        }
        LikePattern pattern = builder.build();
        LikeRules.requireSearchable(pattern, position(text.getStart()), limits);
        return pattern;
    }

    /// Both bounds share one prefix; a zero-padded bound fixes the width of both and of the value.
    private static SuffixRange range(RangeContext range) {
        Bound low = range.low == null ? null : bound(range.low);
        Bound high = range.high == null ? null : bound(range.high);
        if (low == null || high == null) {
            Bound only = low == null ? high : low;
            if (only == null) {
                throw error(range.getStart(), "a bound in a range", "'" + range.getText() + "'");
            }
            return suffixRange(range, only, low, high);
        }
        if (!low.prefix.equals(high.prefix)) {
            throw error(
                    range.high.getStart(),
                    "the prefix '" + low.prefix + "' before the number of both bounds",
                    "'" + high.prefix + "'");
        }
        if ((low.isPadded() || high.isPadded()) && low.digits.length() != high.digits.length()) {
            throw error(
                    range.high.getStart(),
                    "bounds with equally many digits, because one is padded with zeros",
                    "'" + low.digits + "' and '" + high.digits + "'");
        }
        return suffixRange(range, low.isPadded() ? low : high, low, high);
    }

    private static SuffixRange suffixRange(
            RangeContext range, Bound form, @Nullable Bound low, @Nullable Bound high) {
        boolean lowExcluded = range.getStart().getType() == CorrelationIdFilterLexer.OPEN;
        boolean highExcluded = range.getStop().getType() == CorrelationIdFilterLexer.CLOSE;
        return new SuffixRange(
                CORRELATION_ID,
                form.prefix,
                low == null ? 0 : low.number() + (lowExcluded ? 1 : 0),
                high == null ? SuffixRange.UNBOUNDED : high.number() - (highExcluded ? 1 : 0),
                form.isPadded() ? form.digits.length() : 0);
    }

    private static Bound bound(BoundContext context) {
        StringBuilder plain = new StringBuilder();
        for (ParseTree child : context.children) {
            plain.append(plain(((TerminalNode) child).getSymbol()));
        }
        int digitsStart = plain.length();
        while (digitsStart > 0 && isDigit(plain.charAt(digitsStart - 1))) {
            digitsStart--;
        }
        int digits = plain.length() - digitsStart;
        if (digits == 0 || digits > SuffixRange.MAX_DIGITS) {
            throw error(
                    context.getStart(),
                    "a bound that ends in 1 to " + SuffixRange.MAX_DIGITS + " digits",
                    SyntaxErrors.quoted(context.getText()));
        }
        return new Bound(plain.substring(0, digitsStart), plain.substring(digitsStart));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String plain(Token token) {
        String text = token.getText();
        if (token.getType() == CorrelationIdFilterLexer.ESCAPED) {
            return text.substring(1);
        }
        if (text.codePoints().anyMatch(ExpressionBuilder::isSurrogate)) {
            throw error(token, "valid Unicode", "half of a surrogate pair");
        }
        return text;
    }

    private static InvalidSelectorSyntaxException error(
            Token token, String expected, String found) {
        return position(token).error(expected, found);
    }

    private static Position position(Token token) {
        return new Position(SUBJECT, token.getLine(), token.getCharPositionInLine() + 1);
    }

    private record Bound(String prefix, String digits) {

        boolean isPadded() {
            return digits.length() > 1 && digits.charAt(0) == '0';
        }

        long number() {
            return Long.parseLong(digits);
        }
    }

    private static final class FilterErrors extends SyntaxErrors {

        FilterErrors() {
            super(SUBJECT);
        }

        @Override
        String expected(Parser parser, Token offending) {
            IntervalSet expected = parser.getExpectedTokens();
            ParserRuleContext rule = parser.getContext();
            if (rule instanceof RangeContext) {
                return expected.contains(CorrelationIdFilterLexer.SEPARATOR)
                        ? "';' between the bounds of a range"
                        : "']' or ')' at the end of a range";
            }
            return expected.contains(CorrelationIdFilterLexer.CHARACTERS)
                    ? "a text, a wildcard or a range"
                    : "'|' or the end of the filter";
        }

        @Override
        String found(Token offending) {
            return switch (offending.getType()) {
                case Token.EOF -> "the end of the filter";
                case CorrelationIdFilterLexer.UNEXPECTED ->
                        "a backslash that escapes nothing (it escapes * ? [ ] ( ) ; | and \\)";
                default -> quoted(offending.getText());
            };
        }
    }
}
