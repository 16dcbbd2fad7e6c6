package winnow.selector.parse;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;
import winnow.selector.check.LikeRules;
import winnow.selector.check.NameRules;
import winnow.selector.check.Position;
import winnow.selector.check.ScanBudget;
import winnow.selector.check.SelectorLimits;
import winnow.selector.check.TypeRules;
import winnow.selector.expression.And;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Expression;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Or;
import winnow.selector.expression.Sign;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.parse.MessageSelectorParser.ComparisonOperatorContext;
import winnow.selector.parse.MessageSelectorParser.ConjunctionContext;
import winnow.selector.parse.MessageSelectorParser.DisjunctionContext;
import winnow.selector.parse.MessageSelectorParser.FactorContext;
import winnow.selector.parse.MessageSelectorParser.NegationContext;
import winnow.selector.parse.MessageSelectorParser.ProductContext;
import winnow.selector.parse.MessageSelectorParser.RangeTailContext;
import winnow.selector.parse.MessageSelectorParser.SelectorContext;
import winnow.selector.parse.MessageSelectorParser.SumContext;

/// Parse tree to expression, checking types on the way. Recursion costs two or three frames per
/// level of nesting that means something; [NestingGuard] bounds the levels.
final class ExpressionBuilder {

    private final SelectorLimits limits;
    private final ScanBudget budget;

    ExpressionBuilder(SelectorLimits limits) {
        this.limits = limits;
        this.budget = new ScanBudget(limits);
    }

    Condition build(SelectorContext selector) {
        return condition(selector.disjunction());
    }

    private Expression expression(ParserRuleContext context) {
        ParserRuleContext rule = significant(context);
        return switch (rule) {
            case DisjunctionContext or -> new Or(conditions(or.conjunction()));
            case ConjunctionContext and -> new And(conditions(and.negation()));
            case NegationContext not when not.NOT() != null -> new Not(condition(not.negation()));
            case NegationContext predicate -> predicate(predicate);
            case SumContext sum -> chain(sum);
            case ProductContext product -> chain(product);
            case FactorContext factor -> factor(factor);
            default -> throw new IllegalStateException("no such rule: " + rule.getClass());
        };
    }

    /// Skips rules that only pass on another one, and parentheses.
    private static ParserRuleContext significant(ParserRuleContext context) {
        ParserRuleContext rule = context;
        while (true) {
            if (rule.getChildCount() == 1 && rule.getChild(0) instanceof ParserRuleContext only) {
                rule = only;
            } else if (rule instanceof FactorContext factor && factor.disjunction() != null) {
                rule = factor.disjunction();
            } else {
                return rule;
            }
        }
    }

    private List<Condition> conditions(List<? extends ParserRuleContext> contexts) {
        List<Condition> conditions = new ArrayList<>(contexts.size());
        for (ParserRuleContext context : contexts) {
            conditions.add(TypeRules.condition(expression(context), position(context)));
        }
        return conditions;
    }

    private Condition condition(ParserRuleContext context) {
        return TypeRules.condition(expression(context), position(context));
    }

    private Condition predicate(NegationContext predicate) {
        Expression left = expression(predicate.sum());
        Position position = position(predicate);
        var tail = predicate.tail();
        if (tail.comparisonOperator() != null) {
            ComparisonOperator operator = operator(tail.comparisonOperator());
            Operand first = TypeRules.comparable(left, operator, position);
            Operand second =
                    TypeRules.comparable(expression(tail.sum()), operator, position(tail.sum()));
            TypeRules.requireAlike(first, second, position(tail.sum()));
            if (first instanceof Identifier && second instanceof Identifier) {
                budget.comparison(position);
            }
            return new Comparison(first, operator, second);
        }
        boolean negated = tail.NOT() != null;
        if (tail.IS() != null) {
            Condition isNull = new IsNull(TypeRules.identifier(left, "IS", position));
            return negated ? new Not(isNull) : isNull;
        }
        return range(left, position, tail.rangeTail(), negated);
    }

    private Condition range(
            Expression left, Position position, RangeTailContext tail, boolean negated) {
        if (tail.BETWEEN() != null) {
            return new Between(
                    TypeRules.number(left, "BETWEEN", position),
                    number(tail.sum(0), "BETWEEN"),
                    number(tail.sum(1), "BETWEEN"),
                    negated);
        }
        Condition positive;
        if (tail.IN() != null) {
            List<String> values = new ArrayList<>(tail.STRING().size());
            for (TerminalNode string : tail.STRING()) {
                values.add(string(string.getSymbol()));
            }
            positive = new In(TypeRules.identifier(left, "IN", position), values);
        } else {
            Identifier identifier = TypeRules.identifier(left, "LIKE", position);
            positive = new Like(identifier, likePattern(tail.pattern, tail.escape));
        }
        return negated ? new Not(positive) : positive;
    }

    private LikePattern likePattern(Token text, @Nullable Token escape) {
        Position position = position(text);
        LikePattern pattern =
                escape == null
                        ? LikeRules.pattern(string(text), position, limits)
                        : LikeRules.pattern(
                                string(text), string(escape), position, position(escape), limits);
        budget.like(pattern, position);
        return pattern;
    }

    /// `operand (operator operand)*`, the children of a sum or a product.
    private Operand chain(ParserRuleContext context) {
        List<Arithmetic.Step> steps = new ArrayList<>(context.getChildCount() / 2);
        for (int i = 1; i < context.getChildCount(); i += 2) {
            String symbol = context.getChild(i).getText();
            ArithmeticOperator operator =
                    switch (symbol) {
                        case "+" -> ArithmeticOperator.ADD;
                        case "-" -> ArithmeticOperator.SUBTRACT;
                        case "*" -> ArithmeticOperator.MULTIPLY;
                        default -> ArithmeticOperator.DIVIDE;
                    };
            steps.add(new Arithmetic.Step(operator, number(child(context, i + 1), symbol)));
        }
        String firstSymbol = context.getChild(1).getText();
        return new Arithmetic(number(child(context, 0), firstSymbol), steps);
    }

    private static ParserRuleContext child(ParserRuleContext context, int index) {
        return (ParserRuleContext) context.getChild(index);
    }

    private Operand number(ParserRuleContext context, String operator) {
        return TypeRules.number(expression(context), operator, position(context));
    }

    private Expression factor(FactorContext factor) {
        Token first = factor.getStart();
        Position position = position(first);
        return switch (first.getType()) {
            case MessageSelectorLexer.PLUS -> signed(Sign.PLUS, factor.factor());
            case MessageSelectorLexer.MINUS -> signed(Sign.MINUS, factor.factor());
            case MessageSelectorLexer.INTEGER -> NumberText.exact(first.getText(), false, position);
            case MessageSelectorLexer.DECIMAL -> NumberText.approximate(first.getText(), position);
            case MessageSelectorLexer.STRING -> new StringLiteral(string(first));
            case MessageSelectorLexer.TRUE -> new BooleanLiteral(true);
            case MessageSelectorLexer.FALSE -> new BooleanLiteral(false);
            default -> NameRules.identifier(first.getText(), position);
        };
    }

    /// 3.8.1.1 counts the sign to the literal (`-957`), which matters for the smallest long.
    private Operand signed(Sign sign, FactorContext operand) {
        if (sign == Sign.MINUS && operand.INTEGER() != null) {
            Token integer = operand.INTEGER().getSymbol();
            return NumberText.exact(integer.getText(), true, position(integer));
        }
        return Signed.of(sign, number(operand, sign.symbol()));
    }

    private static ComparisonOperator operator(ComparisonOperatorContext context) {
        return switch (context.getStart().getType()) {
            case MessageSelectorLexer.EQUAL -> ComparisonOperator.EQUAL;
            case MessageSelectorLexer.NOT_EQUAL -> ComparisonOperator.NOT_EQUAL;
            case MessageSelectorLexer.LESS -> ComparisonOperator.LESS;
            case MessageSelectorLexer.LESS_OR_EQUAL -> ComparisonOperator.LESS_OR_EQUAL;
            case MessageSelectorLexer.GREATER -> ComparisonOperator.GREATER;
            default -> ComparisonOperator.GREATER_OR_EQUAL;
        };
    }

    /// Half of a surrogate pair is not a character and has no UTF-8, so no message could contain
    /// it.
    private static String string(Token token) {
        String quoted = token.getText();
        String value = quoted.substring(1, quoted.length() - 1).replace("''", "'");
        if (value.codePoints().anyMatch(ExpressionBuilder::isSurrogate)) {
            throw position(token).error("valid Unicode in a string", "half of a surrogate pair");
        }
        return value;
    }

    static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static Position position(ParserRuleContext context) {
        return position(context.getStart());
    }

    private static Position position(Token token) {
        return new Position("selector", token.getLine(), token.getCharPositionInLine() + 1);
    }
}
