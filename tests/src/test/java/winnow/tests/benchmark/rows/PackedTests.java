package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import winnow.selector.expression.And;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Expression;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.Or;
import winnow.selector.expression.StringLiteral;

/// Turns selectors into numbers, which is the least that an index makes of one that it is given:
/// names and strings become small numbers, by which messages can be looked up. Their uses are
/// counted, as an index does to give numbers back, but none is given back here. Used by one thread.
final class PackedTests {
    private static final int EXPECTED = 32;

    private static final List<ComparisonOperator> OPERATORS = List.of(ComparisonOperator.values());

    // What an int is, in its upper bits; the others are a number.
    private static final int TAG_BITS = 24;
    private static final int NUMBER_MASK = (1 << TAG_BITS) - 1;
    private static final int AND = 1;
    private static final int OR = 2;
    private static final int NOT = 3;
    private static final int COMPARISON = 4;
    private static final int BETWEEN = 5;
    private static final int IN = 6;
    private static final int LIKE = 7;
    private static final int IS_NULL = 8;
    private static final int NAME = 9;
    private static final int STRING = 10;

    /// Followed by the two halves of a number.
    private static final int LONG = 11;

    private final Map<String, Name> names = new HashMap<>();
    private final List<Name> byNumber = new ArrayList<>();
    private int[] ints = new int[EXPECTED];
    private int length;

    /// A name, and the strings that it is compared with.
    private static final class Name {
        private final int number;
        private final Map<String, Integer> strings = new HashMap<>();
        private int uses;
        private int[] usesOfStrings = new int[EXPECTED];

        Name(int number) {
            this.number = number;
        }

        int use(String string) {
            Integer known = strings.get(string);
            int constant = known == null ? strings.size() : known;
            if (known == null) {
                strings.put(string, constant);
                if (constant == usesOfStrings.length) {
                    usesOfStrings = Arrays.copyOf(usesOfStrings, 2 * constant);
                }
            }
            usesOfStrings[constant]++;
            return constant;
        }
    }

    /// The tests of a selector, the same for equal expressions and for no others, with one use more
    /// of its names and strings.
    int[] acquire(Expression expression) {
        length = 0;
        add(expression);
        return Arrays.copyOf(ints, length);
    }

    private void add(Expression expression) {
        switch (expression) {
            case Comparison(Identifier name, var operator, StringLiteral(String value)) -> {
                Name used = put(COMPARISON, OPERATORS.indexOf(operator), name);
                put(STRING, used.use(value));
            }
            case Comparison(Identifier name, var operator, LongLiteral(long value)) -> {
                put(COMPARISON, OPERATORS.indexOf(operator), name);
                put(value);
            }
            case Between(
                            Identifier name,
                            LongLiteral(long low),
                            LongLiteral(long high),
                            boolean negated) -> {
                put(BETWEEN, negated ? 1 : 0, name);
                put(low);
                put(high);
            }
            case In(Identifier name, List<String> values) -> {
                Name used = put(IN, values.size(), name);
                values.forEach(value -> put(STRING, used.use(value)));
            }
            case Like(Identifier name, var pattern) -> {
                Name used = put(LIKE, 0, name);
                put(STRING, used.use(pattern.text()));
            }
            case IsNull(Identifier name) -> put(IS_NULL, 0, name);
            case And(var operands) -> {
                put(AND, operands.size());
                operands.forEach(this::add);
            }
            case Or(var operands) -> {
                put(OR, operands.size());
                operands.forEach(this::add);
            }
            case Not(var operand) -> {
                put(NOT, 1);
                add(operand);
            }
            default -> throw new IllegalArgumentException("no generator makes " + expression);
        }
    }

    private Name put(int tag, int number, Identifier identifier) {
        Name name = names.get(identifier.name());
        if (name == null) {
            name = new Name(byNumber.size());
            byNumber.add(name);
            names.put(identifier.name(), name);
        }
        name.uses++;
        put(tag, number);
        put(NAME, name.number);
        return name;
    }

    private void put(long number) {
        put(LONG, 0);
        put((int) (number >>> Integer.SIZE));
        put((int) number);
    }

    private void put(int tag, int number) {
        put(tag << TAG_BITS | number);
    }

    private void put(int bits) {
        if (length == ints.length) {
            ints = Arrays.copyOf(ints, 2 * length);
        }
        ints[length++] = bits;
    }

    /// Takes the uses of names and strings back.
    ///
    /// @param tests see [#acquire]
    void release(int[] tests) {
        int[] usesOfStrings = {};
        for (int i = 0; i < tests.length; i++) {
            int number = tests[i] & NUMBER_MASK;
            switch (tests[i] >>> TAG_BITS) {
                case NAME -> {
                    Name name = byNumber.get(number);
                    name.uses--;
                    usesOfStrings = name.usesOfStrings;
                }
                case STRING -> usesOfStrings[number]--;
                case LONG -> i += 2;
                default -> {}
            }
        }
    }

    /// Number of uses of all names and strings.
    int uses() {
        return byNumber.stream()
                .mapToInt(name -> name.uses + Arrays.stream(name.usesOfStrings).sum())
                .sum();
    }
}
