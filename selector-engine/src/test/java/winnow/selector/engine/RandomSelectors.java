package winnow.selector.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import winnow.selector.check.TypeRules;
import winnow.selector.expression.And;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.Literal;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Or;
import winnow.selector.expression.Sign;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;

/// Makes random expressions and messages over a vocabulary so small that they often meet: values on
/// the edges of types, missing values, and values of another type than the selector thinks.
public final class RandomSelectors {

    private static final List<String> NAMES =
            List.of("s", "t", "n", "m", "x", "y", "p", "JMSCorrelationID", "JMSPriority");
    private static final List<String> STRINGS =
            List.of(
                    "",
                    "a",
                    "b",
                    "ab",
                    "aab",
                    "#7",
                    "#13",
                    "#07",
                    "it's",
                    "é€😀",
                    "a_b%",
                    "\\",
                    "5",
                    "#999999999999999999",
                    "#1000000000000000000");
    private static final long[] LONGS = {
        0,
        1,
        -1,
        5,
        7,
        16_777_216,
        16_777_217,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 511,
        9_007_199_254_740_993L
    };
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        0.1,
        0.5,
        5.0,
        -1.5,
        16_777_216.0,
        16_777_217.0,
        9.223372036854776E18,
        1e300,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        9_007_199_254_740_992.0
    };
    private static final float[] FLOATS = {0f, -0f, 0.1f, 5f, 16_777_216f, 9.223372E18f, 1e38f};
    private static final String LIKE_ALPHABET = "aab%%__é\\#";

    private final Random random;

    public RandomSelectors(long seed) {
        this.random = new Random(seed);
    }

    public Condition condition(int depth) {
        if (depth == 0) {
            return atom();
        }
        return switch (random.nextInt(5)) {
            case 0 -> new And(conditions(depth));
            case 1 -> new Or(conditions(depth));
            case 2, 3 -> new Not(condition(depth - 1));
            default -> atom();
        };
    }

    private List<Condition> conditions(int depth) {
        List<Condition> conditions = new ArrayList<>();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            conditions.add(condition(depth - 1));
        }
        return conditions;
    }

    private Atom atom() {
        return switch (random.nextInt(12)) {
            case 0 -> new BooleanLiteral(random.nextBoolean());
            case 1 -> identifier();
            case 2 -> new IsNull(identifier());
            case 3 -> new In(identifier(), strings());
            case 4 -> new Like(identifier(), pattern());
            case 5 -> new Between(number(1), number(1), number(1), random.nextBoolean());
            case 6 ->
                    new Between(
                            identifier(), numberLiteral(), numberLiteral(), random.nextBoolean());
            default -> comparison();
        };
    }

    /// Like [#condition] but with atoms that have no selector syntax among them.
    Condition withSuffixRange(int depth) {
        long least = random.nextInt(4) == 0 ? 999_999_999_999_999_980L : 0;
        long low = least + random.nextInt(15);
        long high = random.nextInt(4) == 0 ? SuffixRange.UNBOUNDED : low + random.nextInt(5) - 1;
        int width = random.nextInt(3) == 0 ? 2 : 0;
        Condition range = new SuffixRange(identifier(), "#", low, high, width);
        return new Or(List.of(condition(depth), random.nextBoolean() ? range : new Not(range)));
    }

    /// A correlation-ID filter of one to three items.
    String correlationIdFilter() {
        StringBuilder filter = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int low = random.nextInt(15);
            filter.append(
                    switch (random.nextInt(5)) {
                        case 0 -> "#" + low;
                        case 1 -> "#*";
                        case 2 -> "a?b";
                        case 3 -> "[#" + low + ";]";
                        default -> "[#" + low + ";#" + (low + random.nextInt(10)) + "]";
                    });
            filter.append(i == 0 ? "" : "|");
        }
        return filter.toString();
    }

    private Comparison comparison() {
        ComparisonOperator operator = pick(List.of(ComparisonOperator.values()));
        Operand left = comparable(operator);
        Operand right = comparable(operator);
        while (!TypeRules.areAlike(left, right)) {
            right = comparable(operator);
        }
        return new Comparison(left, operator, right);
    }

    private Operand comparable(ComparisonOperator operator) {
        if (!operator.isOrdering() && random.nextInt(4) == 0) {
            Literal literal =
                    random.nextBoolean()
                            ? new StringLiteral(pick(STRINGS))
                            : new BooleanLiteral(random.nextBoolean());
            return literal;
        }
        return number(2);
    }

    private Operand number(int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0, 1, 2 -> identifier();
            case 3, 4 -> numberLiteral();
            case 5 -> Signed.of(random.nextBoolean() ? Sign.PLUS : Sign.MINUS, number(depth - 1));
            default -> arithmetic(depth - 1);
        };
    }

    private Arithmetic arithmetic(int depth) {
        boolean multiplicative = random.nextBoolean();
        List<Arithmetic.Step> steps = new ArrayList<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            ArithmeticOperator operator =
                    multiplicative
                            ? pick(List.of(ArithmeticOperator.MULTIPLY, ArithmeticOperator.DIVIDE))
                            : pick(List.of(ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT));
            steps.add(new Arithmetic.Step(operator, number(depth)));
        }
        return new Arithmetic(number(depth), steps);
    }

    private NumberLiteral numberLiteral() {
        return switch (random.nextInt(4)) {
            case 0 -> new DoubleLiteral(DOUBLES[random.nextInt(DOUBLES.length)]);
            case 1 -> new FloatLiteral(FLOATS[random.nextInt(FLOATS.length)]);
            default -> new LongLiteral(LONGS[random.nextInt(LONGS.length)]);
        };
    }

    private List<String> strings() {
        List<String> strings = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            strings.add(pick(STRINGS));
        }
        return strings;
    }

    private LikePattern pattern() {
        LikePattern.Builder builder = LikePattern.builder();
        for (int i = random.nextInt(7); i > 0; i--) {
            char c = LIKE_ALPHABET.charAt(random.nextInt(LIKE_ALPHABET.length()));
            switch (c) {
                case '%' -> builder.anyRun();
                case '_' -> builder.anyCharacter();
                default -> builder.character(c);
            }
        }
        return builder.build();
    }

    private Identifier identifier() {
        return new Identifier(pick(NAMES));
    }

    public Map<String, Object> message() {
        Map<String, Object> message = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextInt(5) > 0) {
                message.put(name, value());
            }
        }
        return message;
    }

    /// A message whose header fields have the types and ranges that JMS gives them.
    public Map<String, Object> messageWithProperHeaders() {
        Map<String, Object> message = message();
        message.put("JMSPriority", random.nextInt(10));
        message.remove("JMSCorrelationID");
        if (random.nextBoolean()) {
            message.put("JMSCorrelationID", pick(STRINGS));
        }
        return message;
    }

    private Object value() {
        long exact = LONGS[random.nextInt(LONGS.length)];
        return switch (random.nextInt(11)) {
            case 0 -> random.nextBoolean();
            case 1 -> (byte) exact;
            case 2 -> (short) exact;
            case 3 -> (int) exact;
            case 4 -> exact;
            case 5 -> random.nextInt(8) == 0 ? Float.NaN : FLOATS[random.nextInt(FLOATS.length)];
            case 6 -> random.nextInt(8) == 0 ? Double.NaN : DOUBLES[random.nextInt(DOUBLES.length)];
            case 7 -> new byte[] {1};
            default -> pick(STRINGS);
        };
    }

    /// The same condition with the operands of every AND and OR in another order.
    Condition shuffled(Condition condition) {
        return switch (condition) {
            case And(List<Condition> operands) -> new And(shuffled(operands));
            case Or(List<Condition> operands) -> new Or(shuffled(operands));
            case Not(Condition operand) -> new Not(shuffled(operand));
            case Atom atom -> atom;
        };
    }

    private List<Condition> shuffled(List<Condition> operands) {
        List<Condition> shuffled = new ArrayList<>();
        operands.forEach(operand -> shuffled.add(shuffled(operand)));
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
