package winnow.selector.explain;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import winnow.selector.diagnose.Slips;
import winnow.selector.explain.Warning.Kind;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.Like;
import winnow.selector.expression.Operand;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;

/// Finds the values of a message that are of another type than the selector compares them with, and
/// names that the message has in another case.
final class Mismatches {

    private final Map<String, ? extends @Nullable Object> message;
    private final List<Warning> found = new ArrayList<>();

    private Mismatches(Map<String, ? extends @Nullable Object> message) {
        this.message = message;
    }

    static List<Warning> of(
            SequencedSet<Atom> atoms, Map<String, ? extends @Nullable Object> message) {
        Mismatches mismatches = new Mismatches(message);
        atoms.forEach(mismatches::atom);
        return mismatches.found;
    }

    private void atom(Atom atom) {
        SequencedSet<Identifier> names = new LinkedHashSet<>();
        Warnings.identifiersOf(atom, names);
        for (Identifier name : names) {
            Object value = message.get(name.name());
            if (value == null) {
                otherCase(atom, name.name());
                continue;
            }
            String expected = expected(atom, name);
            String type = type(value);
            if (expected != null && !type.equals(expected)) {
                found.add(
                        new Warning(
                                Kind.TYPE_HERE,
                                ExpressionPrinter.print(atom),
                                "%s is a %s here and is compared with a %s%s"
                                        .formatted(
                                                name.name(), type, expected, remedy(atom, value)),
                                Corrections.forValue(atom, name, value)));
            }
        }
    }

    private void otherCase(Atom atom, String name) {
        message.keySet().stream()
                .filter(key -> key.equalsIgnoreCase(name) && !key.equals(name))
                .findFirst()
                .ifPresent(key ->
                        found.add(
                                new Warning(
                                        Kind.NAME_CASE,
                                        ExpressionPrinter.print(atom),
                                        "the message has no %s, but %s; names differ by case"
                                                .formatted(name, key),
                                        Slips.renamed(ExpressionPrinter.print(atom), name, key))));
    }

    /// Strings are compared by = only, so it takes another message.
    private static String remedy(Atom atom, Object value) {
        boolean needsNumber =
                atom instanceof Between
                        || (atom instanceof Comparison comparison
                                && comparison.operator().isOrdering());
        return needsNumber && value instanceof String
                ? "; strings have no order, so the producer has to set a number"
                : "";
    }

    /// The type of value that an atom compares a name with; null if it takes several, or if that
    /// depends on the message too.
    private static @Nullable String expected(Atom atom, Identifier name) {
        return switch (atom) {
            case In _, Like _, SuffixRange _ -> "string";
            case Between _ -> "number";
            case Identifier _ -> "boolean";
            case Comparison comparison -> expected(comparison, name);
            default -> null;
        };
    }

    private static @Nullable String expected(Comparison comparison, Identifier name) {
        if (comparison.operator().isOrdering()) {
            return "number";
        }
        Operand other =
                comparison.left().equals(name)
                        ? comparison.right()
                        : comparison.right().equals(name) ? comparison.left() : null;
        return switch (other) {
            case null -> "number";
            case StringLiteral _ -> "string";
            case BooleanLiteral _ -> "boolean";
            case Identifier _ -> null;
            default -> "number";
        };
    }

    static String type(Object value) {
        return switch (value) {
            case String _ -> "string";
            case Boolean _ -> "boolean";
            case Byte _, Short _, Integer _, Long _, Float _, Double _ -> "number";
            default -> "value that is like nothing";
        };
    }
}
