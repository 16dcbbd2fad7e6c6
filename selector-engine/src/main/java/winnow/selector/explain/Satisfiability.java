package winnow.selector.explain;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.And;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.Literal;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Or;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;
import winnow.selector.expression.Truth;

/// Decides whether a condition can reach a goal for any message. "No" is proven, "yes" only not
/// refuted: the atoms of a conjunction narrow one [Domain] per identifier, and the goal is out of
/// reach when one is empty.
final class Satisfiability {

    /// Outcomes that a condition should have. Only the first two occur in a compiled selector; the
    /// others are their complements, which show that a selector is always true.
    enum Goal {
        TRUE,
        FALSE,
        NOT_TRUE,
        NOT_FALSE;

        Goal throughNot() {
            return switch (this) {
                case TRUE -> FALSE;
                case FALSE -> TRUE;
                case NOT_TRUE -> NOT_FALSE;
                case NOT_FALSE -> NOT_TRUE;
            };
        }

        boolean admits(Truth truth) {
            return switch (this) {
                case TRUE -> truth == Truth.TRUE;
                case FALSE -> truth == Truth.FALSE;
                case NOT_TRUE -> truth != Truth.TRUE;
                case NOT_FALSE -> truth != Truth.FALSE;
            };
        }
    }

    private static final Set<Domain.Kind> PRESENT =
            EnumSet.complementOf(EnumSet.of(Domain.Kind.MISSING));

    /// Kinds of value for which a bare identifier is FALSE.
    private static final Set<Domain.Kind> FALSE_AS_CONDITION =
            EnumSet.complementOf(EnumSet.of(Domain.Kind.MISSING, Domain.Kind.TRUE));

    private final Map<String, Domain> domains;
    private final List<Alternatives> alternatives = new ArrayList<>();
    private boolean contradiction;

    /// Conditions of which one has to reach the goal.
    private record Alternatives(List<Condition> conditions, Goal goal) {}

    private Satisfiability(Map<String, Domain> outer) {
        this.domains = new HashMap<>();
        outer.forEach((name, domain) -> domains.put(name, domain.copy()));
    }

    static boolean canBe(Goal goal, Condition condition) {
        return new Satisfiability(Map.of()).reach(condition, goal);
    }

    private boolean reach(Condition condition, Goal goal) {
        require(condition, goal);
        if (contradiction || domains.values().stream().anyMatch(Domain::isEmpty)) {
            return false;
        }
        for (Alternatives either : alternatives) {
            boolean possible = false;
            for (Condition alternative : either.conditions()) {
                possible |= new Satisfiability(domains).reach(alternative, either.goal());
            }
            if (!possible) {
                return false;
            }
        }
        return true;
    }

    private void require(Condition condition, Goal goal) {
        switch (condition) {
            case Not(Condition operand) -> require(operand, goal.throughNot());
            case And(List<Condition> operands) ->
                    operands(operands, goal, goal == Goal.TRUE || goal == Goal.NOT_FALSE);
            case Or(List<Condition> operands) ->
                    operands(operands, goal, goal == Goal.FALSE || goal == Goal.NOT_TRUE);
            case Atom atom -> require(atom, goal);
        }
    }

    private void operands(List<Condition> operands, Goal goal, boolean all) {
        if (all) {
            operands.forEach(operand -> require(operand, goal));
        } else {
            alternatives.add(new Alternatives(operands, goal));
        }
    }

    private void require(Atom atom, Goal goal) {
        switch (atom) {
            case IsNull(Identifier(String name)) -> {
                if (goal == Goal.TRUE || goal == Goal.NOT_FALSE) {
                    domain(name).retain(EnumSet.of(Domain.Kind.MISSING));
                } else {
                    domain(name).retain(PRESENT);
                }
            }
            case BooleanLiteral(boolean value) -> contradiction |= !goal.admits(Truth.of(value));
            case Identifier(String name) -> {
                switch (goal) {
                    case TRUE -> domain(name).retain(EnumSet.of(Domain.Kind.TRUE));
                    case FALSE -> domain(name).retain(FALSE_AS_CONDITION);
                    case NOT_TRUE -> domain(name).remove(Domain.Kind.TRUE);
                    case NOT_FALSE -> {}
                }
            }
            case In(Identifier(String name), List<String> values) ->
                    string(domain(name), goal, Set.copyOf(values));
            case Like(Identifier(String name), LikePattern pattern) ->
                    string(
                            domain(name),
                            goal,
                            pattern.isExact() ? Set.of(pattern.unescaped()) : null);
            case SuffixRange range ->
                    string(
                            domain(range.identifier().name()),
                            goal,
                            range.low() > range.high() ? Set.of() : null);
            case Comparison comparison -> comparison(comparison, goal);
            case Between between -> between(between, goal);
        }
    }

    /// @param accepted the strings for which the atom is TRUE, or null if they cannot be listed
    private static void string(Domain domain, Goal goal, @Nullable Set<String> accepted) {
        if (goal == Goal.TRUE) {
            domain.retain(EnumSet.of(Domain.Kind.STRING));
            if (accepted != null) {
                domain.retainStrings(accepted);
            }
        } else if (goal == Goal.FALSE) {
            domain.retain(PRESENT);
        }
    }

    private void comparison(Comparison comparison, Goal goal) {
        Operand left = comparison.left();
        Operand right = comparison.right();
        if (left instanceof Identifier(String name) && right instanceof Literal literal) {
            withLiteral(domain(name), comparison.operator(), literal, goal);
        } else if (right instanceof Identifier(String name) && left instanceof Literal literal) {
            withLiteral(domain(name), comparison.operator().mirrored(), literal, goal);
        } else {
            ofOperands(comparison, List.of(left, right), goal);
        }
    }

    /// An atom without identifiers has one value; in any other, identifiers have to be present for
    /// it to be TRUE or FALSE, and those in arithmetic to be numbers.
    private void ofOperands(Atom atom, List<Operand> operands, Goal goal) {
        Set<String> names = new LinkedHashSet<>();
        operands.forEach(operand -> collectNames(operand, names));
        if (names.isEmpty()) {
            contradiction |= !goal.admits(Evaluation.of(atom, Map.of()).truth());
        } else if (atom instanceof Comparison && (goal == Goal.TRUE || goal == Goal.FALSE)) {
            // Arithmetic gives numbers, and a comparison of unlike types is FALSE.
            contradiction |=
                    goal == Goal.TRUE
                            && operands.stream().anyMatch(Satisfiability::isCalculated)
                            && operands.stream().anyMatch(Satisfiability::isNoNumber);
            for (Operand operand : operands) {
                Set<String> inside = new LinkedHashSet<>();
                collectNames(operand, inside);
                boolean bare = operand instanceof Identifier;
                Set<Domain.Kind> kinds = bare ? PRESENT : EnumSet.of(Domain.Kind.NUMBER);
                inside.forEach(name -> domain(name).retain(kinds));
            }
        }
    }

    private static boolean isCalculated(Operand operand) {
        return operand instanceof Arithmetic || operand instanceof Signed;
    }

    private static boolean isNoNumber(Operand operand) {
        return operand instanceof StringLiteral || operand instanceof BooleanLiteral;
    }

    private static void collectNames(Operand operand, Set<String> names) {
        switch (operand) {
            case Identifier(String name) -> names.add(name);
            case Signed(var _, Operand inner) -> collectNames(inner, names);
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                collectNames(first, names);
                steps.forEach(step -> collectNames(step.operand(), names));
            }
            case Literal _ -> {}
        }
    }

    private static void withLiteral(
            Domain domain, ComparisonOperator operator, Literal literal, Goal goal) {
        boolean equal = operator == ComparisonOperator.EQUAL;
        switch (literal) {
            case NumberLiteral number -> number(domain, operator, number, goal);
            case StringLiteral(String value) -> {
                string(domain, goal, equal ? Set.of(value) : null);
                if (goal == Goal.TRUE && !equal) {
                    domain.removeString(value);
                }
            }
            case BooleanLiteral(boolean value) -> {
                if (goal == Goal.TRUE) {
                    domain.retain(
                            EnumSet.of(value == equal ? Domain.Kind.TRUE : Domain.Kind.FALSE));
                } else if (goal == Goal.FALSE) {
                    domain.retain(PRESENT);
                }
            }
        }
    }

    private static void number(
            Domain domain, ComparisonOperator operator, NumberLiteral literal, Goal goal) {
        switch (goal) {
            case TRUE -> {
                domain.retain(EnumSet.of(Domain.Kind.NUMBER));
                domain.retainNumbers(operator, literal);
            }
            case FALSE -> {
                domain.retain(PRESENT);
                domain.retainExactNumbers(operator.negated(), literal);
            }
            case NOT_TRUE -> domain.retainExactNumbers(operator.negated(), literal);
            case NOT_FALSE -> domain.retainExactNumbers(operator, literal);
        }
    }

    private void between(Between between, Goal goal) {
        List<Operand> operands = List.of(between.value(), between.low(), between.high());
        boolean simple =
                between.value() instanceof Identifier
                        && between.low() instanceof NumberLiteral
                        && between.high() instanceof NumberLiteral;
        if (simple && goal == Goal.TRUE && !between.negated()) {
            comparison(
                    new Comparison(
                            between.value(), ComparisonOperator.GREATER_OR_EQUAL, between.low()),
                    goal);
            comparison(
                    new Comparison(
                            between.value(), ComparisonOperator.LESS_OR_EQUAL, between.high()),
                    goal);
        } else {
            ofOperands(between, operands, goal);
        }
    }

    private Domain domain(String name) {
        return domains.computeIfAbsent(name, Domain::of);
    }
}
