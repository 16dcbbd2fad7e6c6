package winnow.selector.explain;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import winnow.selector.diagnose.Slips;
import winnow.selector.explain.Satisfiability.Goal;
import winnow.selector.explain.Warning.Kind;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;
import winnow.selector.slot.Slots;

/// Finds what may surprise the author of a selector. Each warning is about one atom or the whole.
final class Warnings {

    private final SequencedSet<Warning> found = new LinkedHashSet<>();

    private Warnings() {}

    /// @param text of the condition; null if it is not that of a selector
    static List<Warning> of(Condition condition, @Nullable String text) {
        Warnings warnings = new Warnings();
        warnings.whole(condition);
        AtomUse.of(condition).forEach(warnings::atom);
        if (text != null) {
            for (Slips.Slip slip : Slips.of(text)) {
                warnings.found.add(
                        new Warning(
                                kind(slip.kind()), slip.part(), slip.text(), slip.suggestion()));
            }
        }
        return new ArrayList<>(warnings.found);
    }

    private void whole(Condition condition) {
        if (!Satisfiability.canBe(Goal.TRUE, condition)) {
            warn(Kind.NEVER_TRUE, condition, "no message can match", null);
        } else if (!Satisfiability.canBe(Goal.NOT_TRUE, condition)) {
            warn(
                    Kind.ALWAYS_TRUE,
                    condition,
                    "every message matches; having no selector is cheaper",
                    null);
        }
    }

    private void atom(Atom atom, AtomUse use) {
        boolean negated = use.negated();
        SequencedSet<Identifier> identifiers = new LinkedHashSet<>();
        identifiersOf(atom, identifiers);
        SequencedSet<Identifier> skipped = new LinkedHashSet<>(identifiers);
        skipped.removeAll(use.matchedIfMissing());
        for (Identifier identifier : identifiers) {
            if (Slots.isSetOnReceive(identifier.name())) {
                warn(
                        Kind.SET_ON_RECEIVE,
                        atom,
                        identifier.name()
                                + " is set when a message is received, after selectors have been"
                                + " evaluated: here it is always missing",
                        null);
            }
        }
        boolean isLiteral = atom instanceof BooleanLiteral;
        if (!isLiteral && !Satisfiability.canBe(Goal.TRUE, atom)) {
            warn(
                    Kind.TYPE_TRAP,
                    atom,
                    "is never TRUE, whatever the message",
                    Corrections.possible(atom));
        }
        if (negated && !identifiers.isEmpty() && !(atom instanceof IsNull)) {
            notSkipsMissing(atom, skipped);
            otherTypes(atom, identifiers);
        }
        switch (atom) {
            case Comparison comparison -> {
                if (!negated) {
                    skipsMissing(comparison, skipped);
                }
                comparison(comparison, identifiers);
            }
            case Between between -> {
                arithmetic(atom, between.value());
                arithmetic(atom, between.low());
                arithmetic(atom, between.high());
            }
            case Like like -> like(like);
            case In _, IsNull _, SuffixRange _, Identifier _, BooleanLiteral _ -> {}
        }
    }

    private void notSkipsMissing(Atom atom, SequencedSet<Identifier> skipped) {
        if (!skipped.isEmpty()) {
            warn(
                    Kind.SKIPS_MISSING,
                    atom,
                    ("NOT of it does not match messages without %s; add OR %s IS NULL to include"
                                    + " them")
                            .formatted(or(skipped), skipped.getFirst().name()),
                    null);
        }
    }

    private void skipsMissing(Comparison comparison, SequencedSet<Identifier> skipped) {
        if (comparison.operator() == ComparisonOperator.NOT_EQUAL && !skipped.isEmpty()) {
            warn(
                    Kind.SKIPS_MISSING,
                    comparison,
                    "<> does not match messages without " + or(skipped),
                    Corrections.orMissing(comparison, skipped));
        }
    }

    private void like(Like like) {
        String plain = like.pattern().unescaped();
        if (!like.pattern().isExact()) {
            return;
        }
        if (plain.indexOf('*') >= 0) {
            warn(
                    Kind.WILDCARD,
                    like,
                    "* is an ordinary character; the wildcard is %",
                    Corrections.starAsWildcard(like));
        } else {
            warn(
                    Kind.LIKE_WITHOUT_WILDCARD,
                    like,
                    "has no wildcard; = says the same",
                    Corrections.asEquality(like));
        }
    }

    /// Warns of the result of NOT of an atom for values of another type than the atom asks for.
    private void otherTypes(Atom atom, SequencedSet<Identifier> identifiers) {
        SequencedSet<Identifier> calculated = new LinkedHashSet<>();
        for (Operand operand : operandsOf(atom)) {
            if (!(operand instanceof Identifier)) {
                identifiersOf(operand, calculated);
            }
        }
        SequencedSet<Identifier> compared = new LinkedHashSet<>(identifiers);
        compared.removeAll(calculated);
        if (!compared.isEmpty()) {
            warn(
                    Kind.OTHER_TYPES,
                    atom,
                    "NOT of it is TRUE for values%s of another type, because the comparison with"
                                    .formatted(calculated.isEmpty() ? "" : " of " + or(compared))
                            + " them is FALSE",
                    null);
        }
        if (!calculated.isEmpty()) {
            warn(
                    Kind.NOT_A_NUMBER,
                    atom,
                    "NOT of it does not match messages where %s is not a number, because arithmetic"
                                    .formatted(or(calculated))
                            + " with it is UNKNOWN",
                    null);
        }
    }

    private static List<Operand> operandsOf(Atom atom) {
        return switch (atom) {
            case Comparison(Operand left, var _, Operand right) -> List.of(left, right);
            case Between(Operand value, Operand low, Operand high, var _) ->
                    List.of(value, low, high);
            default -> List.of();
        };
    }

    private static String or(SequencedSet<Identifier> identifiers) {
        return String.join(" or ", identifiers.stream().map(Identifier::name).toList());
    }

    private void comparison(Comparison comparison, SequencedSet<Identifier> identifiers) {
        boolean equality = !comparison.operator().isOrdering();
        for (Operand side : List.of(comparison.left(), comparison.right())) {
            arithmetic(comparison, side);
            if (identifiers.isEmpty() || !equality) {
                continue;
            }
            if (side instanceof StringLiteral(String value)
                    && value.length() > 1
                    && (value.startsWith("%") || value.endsWith("%"))) {
                warn(
                        Kind.WILDCARD,
                        comparison,
                        "%% is an ordinary character for %s; as a wildcard it needs LIKE"
                                .formatted(comparison.operator().symbol()),
                        Corrections.asLike(comparison));
            }
            if (side instanceof StringLiteral(String value)
                    && looksUntyped(value)
                    && !identifiers.getFirst().name().equals("JMSDeliveryMode")) {
                warn(
                        Kind.TYPE_TRAP,
                        comparison,
                        "compares with a string; a number or boolean "
                                + value
                                + " is not equal to it",
                        Corrections.unquoted(comparison));
            }
            if (side instanceof DoubleLiteral(double value) && (float) value != value) {
                warn(
                        Kind.ROUNDING,
                        comparison,
                        "a float property is never equal to this double",
                        Corrections.asFloat(comparison));
            }
        }
    }

    /// Whole-number division, which truncates, and which is UNKNOWN for zero.
    private void arithmetic(Atom atom, Operand operand) {
        switch (operand) {
            case Signed(var _, Operand inner) -> arithmetic(atom, inner);
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                arithmetic(atom, first);
                for (Arithmetic.Step step : steps) {
                    arithmetic(atom, step.operand());
                    if (step.operator() == ArithmeticOperator.DIVIDE
                            && step.operand() instanceof LongLiteral(long divisor)) {
                        warn(
                                Kind.INTEGER_DIVISION,
                                atom,
                                divisor == 0
                                        ? "a whole number divided by 0 is UNKNOWN"
                                        : "a whole number divided by %d loses its fraction"
                                                .formatted(divisor),
                                divisor == 0 ? null : Corrections.asFractions(atom));
                    }
                }
            }
            default -> {}
        }
    }

    private static Kind kind(Slips.Kind kind) {
        return switch (kind) {
            case HYPHEN -> Kind.HYPHEN;
            case BACKSLASH -> Kind.BACKSLASH;
            case NAME_CASE -> Kind.NAME_CASE;
        };
    }

    private static boolean looksUntyped(String value) {
        return value.matches("[+-]?[0-9]+(\\.[0-9]+)?|(?i:true|false)");
    }

    static void identifiersOf(Atom atom, SequencedSet<Identifier> identifiers) {
        switch (atom) {
            case Identifier identifier -> identifiers.add(identifier);
            case IsNull(Identifier identifier) -> identifiers.add(identifier);
            case In in -> identifiers.add(in.identifier());
            case Like like -> identifiers.add(like.identifier());
            case SuffixRange range -> identifiers.add(range.identifier());
            case Comparison comparison -> {
                identifiersOf(comparison.left(), identifiers);
                identifiersOf(comparison.right(), identifiers);
            }
            case Between between -> {
                identifiersOf(between.value(), identifiers);
                identifiersOf(between.low(), identifiers);
                identifiersOf(between.high(), identifiers);
            }
            case BooleanLiteral _ -> {}
        }
    }

    static void identifiersOf(Operand operand, SequencedSet<Identifier> identifiers) {
        switch (operand) {
            case Identifier identifier -> identifiers.add(identifier);
            case Signed(var _, Operand inner) -> identifiersOf(inner, identifiers);
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                identifiersOf(first, identifiers);
                steps.forEach(step -> identifiersOf(step.operand(), identifiers));
            }
            default -> {}
        }
    }

    private void warn(Kind kind, Condition about, String text, @Nullable String suggestion) {
        found.add(new Warning(kind, ExpressionPrinter.print(about), text, suggestion));
    }
}
