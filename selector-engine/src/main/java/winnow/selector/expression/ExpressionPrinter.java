package winnow.selector.expression;

import java.util.List;

/// Writes an expression as selector text in one form: keywords in capitals, single spaces, only the
/// parentheses that are needed. Parsing the text gives an equal expression, except for
/// [SuffixRange], which has no selector syntax.
public final class ExpressionPrinter {

    private final StringBuilder text = new StringBuilder();

    private ExpressionPrinter() {}

    public static String print(Expression expression) {
        ExpressionPrinter printer = new ExpressionPrinter();
        printer.expression(expression);
        return printer.text.toString();
    }

    private void expression(Expression expression) {
        switch (expression) {
            case And(List<Condition> operands) -> joined(operands, " AND ");
            case Or(List<Condition> operands) -> joined(operands, " OR ");
            case Not(Condition operand) -> not(operand);
            case Comparison comparison -> comparison(comparison);
            case Between between -> between(between);
            case In in -> in(in, " IN (");
            case Like like -> like(like, " LIKE ");
            case IsNull(Identifier identifier) -> text.append(identifier.name()).append(" IS NULL");
            case SuffixRange range -> suffixRange(range);
            case Identifier(String name) -> text.append(name);
            case Literal literal -> literal(literal);
            case Signed(Sign sign, Operand operand) -> signed(sign, operand);
            case Arithmetic arithmetic -> arithmetic(arithmetic);
        }
    }

    private void joined(List<Condition> operands, String operator) {
        boolean conjunction = operator.equals(" AND ");
        for (int i = 0; i < operands.size(); i++) {
            if (i > 0) {
                text.append(operator);
            }
            Condition operand = operands.get(i);
            inParentheses(operand, conjunction && operand instanceof Or);
        }
    }

    private void not(Condition operand) {
        switch (operand) {
            case In in -> in(in, " NOT IN (");
            case Like like -> like(like, " NOT LIKE ");
            case IsNull(Identifier identifier) ->
                    text.append(identifier.name()).append(" IS NOT NULL");
            case Identifier _, BooleanLiteral _ -> {
                text.append("NOT ");
                expression(operand);
            }
            default -> {
                text.append("NOT ");
                inParentheses(operand, true);
            }
        }
    }

    private void comparison(Comparison comparison) {
        expression(comparison.left());
        text.append(' ').append(comparison.operator().symbol()).append(' ');
        expression(comparison.right());
    }

    private void between(Between between) {
        expression(between.value());
        text.append(between.negated() ? " NOT BETWEEN " : " BETWEEN ");
        expression(between.low());
        text.append(" AND ");
        expression(between.high());
    }

    private void in(In in, String operator) {
        text.append(in.identifier().name()).append(operator);
        String separator = "";
        for (String value : in.values()) {
            text.append(separator);
            quoted(value);
            separator = ", ";
        }
        text.append(')');
    }

    private void like(Like like, String operator) {
        String pattern = like.pattern().text();
        text.append(like.identifier().name()).append(operator);
        quoted(pattern);
        if (pattern.indexOf(LikePattern.ESCAPE) >= 0) {
            text.append(" ESCAPE '").append(LikePattern.ESCAPE).append('\'');
        }
    }

    private void suffixRange(SuffixRange range) {
        text.append(range.identifier().name()).append(" WITHIN [").append(range.prefix());
        digits(range.low(), range.width());
        text.append(';');
        if (range.high() != SuffixRange.UNBOUNDED) {
            text.append(range.prefix());
            digits(range.high(), range.width());
        }
        text.append(']');
    }

    private void digits(long number, int width) {
        String digits = Long.toString(number);
        text.repeat('0', Math.max(0, width - digits.length())).append(digits);
    }

    private void literal(Literal literal) {
        switch (literal) {
            case LongLiteral(long value) -> text.append(value);
            case FloatLiteral(float value) -> text.append(value).append('f');
            case DoubleLiteral(double value) -> text.append(value);
            case BooleanLiteral(boolean value) -> text.append(value ? "TRUE" : "FALSE");
            case StringLiteral(String value) -> quoted(value);
        }
    }

    private void signed(Sign sign, Operand operand) {
        text.append(sign.symbol());
        // Two adjacent minus signs would be refused as the start of an SQL comment.
        if (operand instanceof Signed) {
            text.append(' ');
        }
        inParentheses(operand, operand instanceof Arithmetic);
    }

    private void arithmetic(Arithmetic arithmetic) {
        boolean multiplicative = arithmetic.isMultiplicative();
        inParentheses(
                arithmetic.first(), multiplicative && arithmetic.first() instanceof Arithmetic);
        for (Arithmetic.Step step : arithmetic.steps()) {
            Operand operand = step.operand();
            text.append(' ').append(step.operator().symbol()).append(' ');
            boolean bindsLess =
                    operand instanceof Arithmetic inner
                            && (multiplicative || !inner.isMultiplicative());
            inParentheses(operand, bindsLess);
        }
    }

    private void inParentheses(Expression expression, boolean parentheses) {
        if (parentheses) {
            text.append('(');
            expression(expression);
            text.append(')');
        } else {
            expression(expression);
        }
    }

    private void quoted(String value) {
        text.append('\'').append(value.replace("'", "''")).append('\'');
    }
}
