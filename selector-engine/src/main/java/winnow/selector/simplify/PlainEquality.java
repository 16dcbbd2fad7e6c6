package winnow.selector.simplify;

import java.util.List;
import winnow.selector.expression.Atom;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.Like;
import winnow.selector.expression.Not;
import winnow.selector.expression.StringLiteral;

/// One way to say "equals". All hold for UNKNOWN, so also under NOT: each side is UNKNOWN if x is
/// missing and FALSE if x is of another type.
///
/// ```
/// x IN ('a')        -> x = 'a'          x = TRUE   -> x         x <> FALSE -> x
/// x LIKE 'no wild'  -> x = 'no wild'    x <> TRUE  -> x = FALSE
/// x IN ('b', 'a')   -> x IN ('a', 'b')
/// ```
final class PlainEquality implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case Not(Atom atom) -> new Not(plain(atom));
            case Atom atom -> plain(atom);
            default -> node;
        };
    }

    private static Atom plain(Atom atom) {
        return switch (atom) {
            case In(Identifier identifier, List<String> values) when values.size() == 1 ->
                    equality(identifier, values.getFirst());
            case In(Identifier identifier, List<String> values) when !isSorted(values) ->
                    new In(identifier, values.stream().sorted().toList());
            case Like(Identifier identifier, var pattern) when pattern.isExact() ->
                    equality(identifier, pattern.unescaped());
            case Comparison(Identifier identifier, var operator, BooleanLiteral(boolean value)) -> {
                boolean wanted = value == (operator == ComparisonOperator.EQUAL);
                yield wanted
                        ? identifier
                        : new Comparison(
                                identifier, ComparisonOperator.EQUAL, new BooleanLiteral(false));
            }
            default -> atom;
        };
    }

    private static boolean isSorted(List<String> values) {
        for (int i = 1; i < values.size(); i++) {
            if (values.get(i - 1).compareTo(values.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    static Comparison equality(Identifier identifier, String value) {
        return new Comparison(identifier, ComparisonOperator.EQUAL, new StringLiteral(value));
    }
}
