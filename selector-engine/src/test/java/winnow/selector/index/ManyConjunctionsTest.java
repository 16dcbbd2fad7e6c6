package winnow.selector.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.ReferenceInterpreter;
import winnow.selector.engine.Selector;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Truth;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;

/// Thousands of selectors that share a few keys, so that they are in blocks and hang on cells, come
/// and go; messages have values of every type. Rerun a failure with `-Dwinnow.selector.seed=N`.
class ManyConjunctionsTest {
    private static final int ROUNDS = 60 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int MESSAGES_PER_ROUND = 6;
    private static final int MOST = 3_000;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());
    private static final long LARGE = 1L << 53;

    private final Random random = new Random(SEED);
    private final SelectorIndex<Subscriber> index = new SelectorIndex<>(SEED);
    private final MatchScratch matching = Slices.matching();
    private final SlotValues values = new SlotValues(2);
    private final List<Subscriber> subscribers = new ArrayList<>();

    private static final class Subscriber {
        final Selector selector;
        SubscriberHandle<Subscriber> entry;
        int calls;

        Subscriber(Selector selector, SelectorIndex<Subscriber> index) {
            this.selector = selector;
            this.entry = index.add(selector, this);
        }
    }

    private String text() {
        return "v" + (int) Math.exp(random.nextDouble() * Math.log(60));
    }

    private String number() {
        return switch (random.nextInt(12)) {
            case 0 -> Long.toString(LARGE + random.nextInt(5) - 2);
            case 1 -> "-" + random.nextInt(50);
            case 2 -> random.nextInt(1_000) + "." + random.nextInt(10);
            case 3 -> random.nextInt(100) + ".5f";
            default -> Integer.toString(random.nextInt(1_000));
        };
    }

    private String range(String name) {
        int low = random.nextInt(900);
        int high = low + random.nextInt(400);
        return switch (random.nextInt(4)) {
            case 0 -> name + " > " + low + " AND " + name + " < " + high;
            case 1 -> name + " >= " + low + " AND " + name + " < " + high;
            case 2 -> "NOT (" + name + " <= " + low + " OR " + name + " >= " + high + ")";
            default -> name + " BETWEEN " + low + " AND " + high;
        };
    }

    private String component() {
        String text = "s" + random.nextInt(5);
        String number = "n" + random.nextInt(4);
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> text + " = '" + text() + "'";
            case 4 -> text + " IN ('" + text() + "', '" + text() + "', '" + text() + "')";
            case 5 -> text + " <> '" + text() + "'";
            case 6 -> text + " LIKE 'v" + random.nextInt(6) + "%'";
            case 7 -> text + " LIKE '%" + random.nextInt(6) + "'";
            case 8 -> (random.nextBoolean() ? text : number) + " IS NULL";
            case 9 -> number + " > " + number();
            case 10 -> number + " <= " + number();
            case 11 -> "NOT (" + range(number) + ")";
            case 12 -> number + " = " + number();
            case 13 -> "b" + random.nextInt(2) + " = TRUE";
            default -> range(number);
        };
    }

    private String conjunction() {
        StringBuilder all = new StringBuilder(component());
        for (int i = random.nextInt(5); i > 0; i--) {
            all.append(" AND ").append(component());
        }
        return all.toString();
    }

    private String selector() {
        return switch (random.nextInt(10)) {
            case 0 -> conjunction() + " OR " + conjunction();
            case 1 -> conjunction() + " AND (" + component() + " OR " + component() + ")";
            default -> conjunction();
        };
    }

    private Object value(int kind) {
        return switch (kind) {
            case 0 -> LARGE + random.nextInt(5) - 2;
            case 1 -> random.nextInt(2_000) / 2.0;
            case 2 -> random.nextInt(200) / 2f;
            case 3 -> Double.NaN;
            case 4 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
            case 5 -> text();
            case 6 -> random.nextBoolean();
            case 7 -> (byte) random.nextInt(100);
            default -> random.nextInt(1_100) - 50;
        };
    }

    private Map<String, Object> message() {
        Map<String, Object> message = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            if (random.nextInt(8) > 0) {
                message.put("s" + i, random.nextInt(12) == 0 ? value(random.nextInt(9)) : text());
            }
        }
        for (int i = 0; i < 4; i++) {
            if (random.nextInt(8) > 0) {
                message.put("n" + i, value(random.nextInt(24)));
            }
        }
        message.put("b0", random.nextBoolean());
        return message;
    }

    /// Mostly more, now and then nearly none.
    private void change() {
        int wanted = random.nextInt(8) == 0 ? random.nextInt(50) : random.nextInt(MOST);
        while (subscribers.size() < wanted) {
            subscribers.add(new Subscriber(Selector.parse(selector()), index));
        }
        while (subscribers.size() > wanted) {
            Subscriber leaving = subscribers.remove(random.nextInt(subscribers.size()));
            index.remove(leaving.entry);
        }
        for (int i = 0; i < wanted / 10; i++) {
            int at = random.nextInt(wanted);
            index.remove(subscribers.get(at).entry);
            subscribers.set(at, new Subscriber(Selector.parse(selector()), index));
        }
    }

    @Test
    void shouldAgreeWithTheReference() {
        System.out.println("ManyConjunctionsTest: -Dwinnow.selector.seed=" + SEED);
        long matches = 0;
        for (int round = 0; round < ROUNDS; round++) {
            change();
            for (int i = 0; i < MESSAGES_PER_ROUND; i++) {
                matches += check(message());
                index.tune(64);
            }
        }
        assertThat(matches).isGreaterThan(ROUNDS * 10L);
        subscribers.forEach(subscriber -> index.remove(subscriber.entry));
        assertThat(index.terms()).isZero();
        assertThat(index.probedSlots()).isZero();
    }

    private int check(Map<String, Object> message) {
        MessageValues.set(values, index.slots(), message);
        if (message.hashCode() % 2 == 0) {
            index.match(values, matching, subscriber -> subscriber.calls++);
        } else {
            Slices.match(index, values, matching, subscriber -> subscriber.calls++);
        }
        ReferenceInterpreter reference = new ReferenceInterpreter(message);
        int matches = 0;
        for (Subscriber subscriber : subscribers) {
            boolean matching = reference.evaluate(subscriber.selector.expression()) == Truth.TRUE;
            if (subscriber.calls != (matching ? 1 : 0)) {
                throw new AssertionError(
                        subscriber.selector.expression()
                                + " was called "
                                + subscriber.calls
                                + " times for "
                                + message);
            }
            matches += subscriber.calls;
            subscriber.calls = 0;
        }
        return matches;
    }
}
