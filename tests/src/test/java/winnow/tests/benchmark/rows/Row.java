package winnow.tests.benchmark.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import winnow.selector.engine.Selector;
import winnow.tests.benchmark.rows.Atom.Kind;

/// The workloads. Always the same for the same number of selectors.
public enum Row {
    /// 3 to 6 components over 10 strings with 100 values and 10 numbers, values by Zipf's law; an
    /// attribute is missing from every tenth message.
    MIXED("3-6 components of 20 attributes", 20, 0.1, 0.02),

    /// A symbol and a range of prices, a sixteenth of them wide; 8,000 symbols.
    SYMBOL_AND_RANGE("symbol AND BETWEEN", 2, 0, 0),

    /// 2 to 4 ranges of 5 numbers, each of 1 to 55 % of the values.
    RANGES("2-4 ranges of 5 numbers", 5, 0, 0.02),

    /// Alternatives, negations, prefixes and missing values.
    ALTERNATIVES("OR, NOT, prefixes, missing values", 20, 0.1, 0.02),

    /// 6 equalities of 12 attributes with 4 values each.
    FEW_VALUES("6 equalities of 12 attributes", 12, 0, 0),

    /// One equality of as many values as there are selectors.
    ONE_EQUALITY("one equality", 1, 0, 0);

    static final int MESSAGES = 4_096;
    private static final int MAX_TRIED = 16 * MESSAGES;
    private static final int TEXTS = 10;
    static final int VALUES = 100;
    static final int NUMBERS = 10_000;
    private static final int SYMBOLS = 8_000;

    final String title;
    private final int attributes;
    private final double missing;

    /// How much of the values has another type than the selectors ask for.
    final double confused;

    Row(String title, int attributes, double missing, double confused) {
        this.title = title;
        this.attributes = attributes;
        this.missing = missing;
        this.confused = confused;
    }

    /// One selector: one of its conjunctions must be true.
    ///
    /// @param conjunctions each of atoms that must all be true
    public record Generated(List<List<Atom>> conjunctions) {
        String selector() {
            return conjunctions.stream()
                    .map(atoms ->
                            atoms.stream().map(Atom::selector).collect(Collectors.joining(" AND ")))
                    .collect(Collectors.joining(" OR "));
        }

        /// In the form that an index needs.
        Selector parsed() {
            return Selector.parse(selector()).canonical();
        }

        boolean test(Message message) {
            for (List<Atom> atoms : conjunctions) {
                if (all(atoms, message)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean all(List<Atom> atoms, Message message) {
            for (Atom atom : atoms) {
                if (!atom.test(message.value(atom.attribute()))) {
                    return false;
                }
            }
            return true;
        }
    }

    List<Generated> selectors(int count) {
        Random random = new Random(count);
        List<Generated> selectors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            selectors.add(selector(random, count));
        }
        return selectors;
    }

    /// Different ones, as far as there are so many.
    List<Message> messages(int count) {
        Random random = new Random(~count);
        Set<List<Integer>> known = new HashSet<>();
        List<Message> messages = new ArrayList<>(MESSAGES);
        for (int tried = 0; messages.size() < MESSAGES; tried++) {
            int[] values = new int[attributes];
            for (int attribute = 0; attribute < attributes; attribute++) {
                double kind = random.nextDouble();
                values[attribute] =
                        kind < missing
                                ? Message.MISSING
                                : kind < missing + confused
                                        ? Message.OTHER_TYPE
                                        : value(random, attribute, count);
            }
            if (known.add(Arrays.stream(values).boxed().toList()) || tried > MAX_TRIED) {
                messages.add(Message.of(this, values, random));
            }
        }
        return messages;
    }

    /// Number of selectors that it is measured with unless it is said. A million alternatives take
    /// minutes to build.
    int[] usualCounts() {
        return this == ALTERNATIVES
                ? new int[] {10_000, 100_000}
                : new int[] {10_000, 100_000, 1_000_000};
    }

    /// What its selectors are like.
    public String title() {
        return title;
    }

    /// Their number.
    public int attributes() {
        return attributes;
    }

    /// True if the attribute's values are strings, else numbers.
    public boolean isText(int attribute) {
        return switch (this) {
            case MIXED, ALTERNATIVES -> attribute < TEXTS;
            case SYMBOL_AND_RANGE -> attribute == 0;
            case RANGES -> false;
            case FEW_VALUES, ONE_EQUALITY -> true;
        };
    }

    private int value(Random random, int attribute, int count) {
        return switch (this) {
            case MIXED, ALTERNATIVES ->
                    isText(attribute) ? zipf(random, VALUES) : random.nextInt(NUMBERS);
            case SYMBOL_AND_RANGE ->
                    random.nextInt(isText(attribute) ? Math.min(SYMBOLS, count) : NUMBERS);
            case RANGES -> random.nextInt(NUMBERS);
            case FEW_VALUES -> random.nextInt(4);
            case ONE_EQUALITY -> random.nextInt(count);
        };
    }

    private Generated selector(Random random, int count) {
        return switch (this) {
            case MIXED -> one(atoms(random, 3 + random.nextInt(4), a -> mixed(random, a, count)));
            case SYMBOL_AND_RANGE ->
                    one(
                            List.of(
                                    oneOf(0, value(random, 0, count)),
                                    range(random, 1, random.nextInt(16) == 0 ? 0.5 : 0.03)));
            case RANGES ->
                    one(
                            atoms(
                                    random,
                                    2 + random.nextInt(3),
                                    a ->
                                            range(
                                                    random,
                                                    a,
                                                    Math.pow(55, random.nextDouble()) / 100)));
            case ALTERNATIVES ->
                    new Generated(List.of(alternative(random, count), alternative(random, count)));
            case FEW_VALUES -> one(atoms(random, 6, a -> oneOf(a, value(random, a, count))));
            case ONE_EQUALITY -> one(List.of(oneOf(0, value(random, 0, count))));
        };
    }

    private static Generated one(List<Atom> atoms) {
        return new Generated(List.of(atoms));
    }

    /// Atoms of different attributes.
    private List<Atom> atoms(Random random, int count, IntFunction<Atom> atom) {
        return random.ints(0, attributes).distinct().limit(count).mapToObj(atom).toList();
    }

    private Atom mixed(Random random, int attribute, int count) {
        if (!isText(attribute)) {
            return range(random, attribute, 0.01 + 0.41 * random.nextDouble());
        }
        int choice = random.nextInt(100);
        int value = value(random, attribute, count);
        if (choice < 75) {
            return oneOf(attribute, value);
        }
        int second = value(random, attribute, count);
        int third = value(random, attribute, count);
        return choice < 90
                ? new Atom(attribute, Kind.ONE_OF, new int[] {value, second, third}, true)
                : new Atom(attribute, Kind.NONE_OF, new int[] {value}, true);
    }

    private List<Atom> alternative(Random random, int count) {
        return atoms(random, 4 + random.nextInt(2), a -> alternative(random, a, count));
    }

    private Atom alternative(Random random, int attribute, int count) {
        int choice = random.nextInt(100);
        if (choice < 9) {
            return new Atom(attribute, Kind.MISSING, new int[0], isText(attribute));
        }
        if (choice < 20) {
            return isText(attribute)
                    ? new Atom(attribute, Kind.NONE_OF, random.ints(2, 0, VALUES).toArray(), true)
                    : range(random, attribute, Kind.OUTSIDE, 0.3 + 0.3 * random.nextDouble());
        }
        if (isText(attribute) && choice < 40) {
            int value = value(random, attribute, count);
            return new Atom(attribute, Kind.PREFIX, new int[] {value}, true);
        }
        return mixed(random, attribute, count);
    }

    private Atom oneOf(int attribute, int value) {
        return new Atom(attribute, Kind.ONE_OF, new int[] {value}, isText(attribute));
    }

    private static Atom range(Random random, int attribute, double width) {
        return range(random, attribute, Kind.RANGE, width);
    }

    private static Atom range(Random random, int attribute, Kind kind, double width) {
        int length = Math.max(1, (int) (width * NUMBERS));
        int low = random.nextInt(NUMBERS - length + 1);
        return new Atom(attribute, kind, new int[] {low, low + length - 1}, false);
    }

    /// A value below `values`, the first twice as likely as the second, and so on by 1 / rank.
    private static int zipf(Random random, int values) {
        double most = Math.log(values + 1.0);
        return (int) Math.exp(random.nextDouble() * most) - 1;
    }
}
