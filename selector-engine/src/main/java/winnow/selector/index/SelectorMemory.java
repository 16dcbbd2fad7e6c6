package winnow.selector.index;

import winnow.selector.engine.Selector;
import winnow.selector.expression.And;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Expression;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.Literal;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.Signed;
import winnow.selector.expression.SuffixRange;

/// Heap bytes of a selector, parsed and in an index that shares nothing of it: not less than
/// measured, for most selectors up to twice as much. Per leaf were measured, in bytes: `a = 'x'`
/// with a name of its own 986, `NOT a > 1` 974, `a LIKE '%x_y%'` 728, a value of IN 195, `a > 1`
/// with a common name 245 (compact object headers).
public final class SelectorMemory {
    private static final int SELECTOR_BYTES = 512;
    private static final int NAME_BYTES = 900;
    private static final int VALUE_BYTES = 250;
    private static final int OPERAND_BYTES = 64;

    /// An automaton takes 17 bytes per byte of the patterns it finds.
    private static final int BYTES_PER_PATTERN_CHARACTER = 24;

    private SelectorMemory() {}

    /// An estimate in bytes. Any thread.
    public static long bytes(Selector selector) {
        return SELECTOR_BYTES + bytes(selector.expression());
    }

    private static long bytes(Iterable<? extends Expression> operands) {
        long bytes = 0;
        for (Expression operand : operands) {
            bytes += OPERAND_BYTES + bytes(operand);
        }
        return bytes;
    }

    private static long bytes(Expression expression) {
        return switch (expression) {
            case And and -> bytes(and.operands());
            case Or or -> bytes(or.operands());
            case Not(var operand) -> OPERAND_BYTES + bytes(operand);
            case Identifier(String name) -> NAME_BYTES + 4L * name.length();
            case Comparison(var left, var _, var right) -> bytes(left) + bytes(right);
            case Between(var value, var low, var high, var _) ->
                    bytes(value) + bytes(low) + bytes(high);
            case In in -> bytes(in.identifier()) + ofValues(in);
            case IsNull(Identifier identifier) -> bytes(identifier);
            case Like(Identifier identifier, var pattern) ->
                    bytes(identifier)
                            + (long) BYTES_PER_PATTERN_CHARACTER * pattern.text().length();
            case SuffixRange range -> bytes(range.identifier()) + 4L * range.prefix().length();
            case Arithmetic arithmetic -> ofSteps(arithmetic);
            case Signed(var _, var operand) -> OPERAND_BYTES + bytes(operand);
            case BooleanLiteral _ -> OPERAND_BYTES;
            case Literal literal -> OPERAND_BYTES + 4L * literal.toString().length();
        };
    }

    private static long ofValues(In in) {
        long bytes = 0;
        for (String value : in.values()) {
            bytes += VALUE_BYTES + 4L * value.length();
        }
        return bytes;
    }

    private static long ofSteps(Arithmetic arithmetic) {
        long bytes = bytes(arithmetic.first());
        for (Arithmetic.Step step : arithmetic.steps()) {
            bytes += OPERAND_BYTES + bytes(step.operand());
        }
        return bytes;
    }
}
