package winnow.selector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import winnow.selector.compile.ShapeClasses;
import winnow.selector.explain.MessageValues;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Not;
import winnow.selector.expression.Truth;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.RandomMoves;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.Slices;
import winnow.selector.index.api.MatchSink;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// The index finds exactly the selectors that are TRUE, while they come and go between messages.
/// Rerun a failure with `-Dwinnow.selector.seed=N`; `-Dwinnow.selector.volume=N` makes it N times
/// as long.
class RandomIndexTest {

    private static final int MESSAGES = 12_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int MANY = 3_000;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final RandomSelectors selectors = new RandomSelectors(SEED);
    private final Random random = new Random(SEED);
    private final SelectorIndex<Subscriber> index = new SelectorIndex<>(SEED);

    /// The classes of shapes appear from the first sample on.
    private final ShapeClasses shapeClasses = new ShapeClasses(1, Runnable::run);

    private final Slots linearSlots = new Slots(SEED);
    private final List<Subscriber> subscribers = new ArrayList<>();
    private final MatchScratch matching = Slices.matching();

    /// Every other message is sampled, so that orders and access keys change all the time.
    private final SlotValues indexValues = new SlotValues(2);

    private final SlotValues linearValues = new SlotValues(2);

    private static final class Subscriber {

        final Selector selector;
        final Matcher matcher;
        SubscriberHandle<Subscriber> entry;
        int calls;

        Subscriber(Selector selector, Matcher matcher, SelectorIndex<Subscriber> index) {
            this.selector = selector;
            this.matcher = matcher;
            this.entry = index.add(selector, this);
        }
    }

    @Test
    void shouldAgreeWithLinearAndReferenceUnderChurn() {
        System.out.println("RandomIndexTest: -Dwinnow.selector.seed=" + SEED);
        int matches = 0;
        int evaluations = 0;
        for (int i = 0; i < MESSAGES; i++) {
            // given
            change();
            Map<String, Object> message = selectors.message();

            // when
            match(message);

            // then
            ReferenceInterpreter reference = new ReferenceInterpreter(message);
            for (Subscriber subscriber : subscribers) {
                Truth truth = reference.evaluate(subscriber.selector.expression());
                check(subscriber, message, truth == Truth.TRUE);
                matches += subscriber.calls;
                evaluations++;
            }
        }
        System.out.printf("%,d evaluations agree with the reference%n", evaluations);
        assertThat(evaluations).isGreaterThan(200_000);
        assertThat(matches).isBetween(evaluations / 20, evaluations / 2);
        assertThat(shapeClasses.size()).isGreaterThan(20);
        removeAll();
    }

    private Subscriber subscriber(Selector selector) {
        return new Subscriber(selector, selector.bind(linearSlots, shapeClasses), index);
    }

    /// Few add, some remove, and now and then nearly all go.
    private void change() {
        for (int i = random.nextInt(8); i > 0; i--) {
            if (random.nextInt(200) < subscribers.size()) {
                remove(random.nextInt(subscribers.size()));
            } else {
                add();
            }
        }
        if (random.nextInt(300) == 0) {
            while (subscribers.size() > 2) {
                remove(subscribers.size() - 1);
            }
        }
    }

    private void add() {
        if (!subscribers.isEmpty() && random.nextInt(6) == 0) {
            addEquivalent(subscribers.get(random.nextInt(subscribers.size())).selector);
            return;
        }
        Selector selector =
                switch (random.nextInt(8)) {
                    case 0 -> Selector.ofCorrelationId(selectors.correlationIdFilter());
                    case 1 ->
                            Selector.and(
                                    Selector.ofCorrelationId(selectors.correlationIdFilter()),
                                    parsed(selectors.condition(1)));
                    default -> parsed(selectors.condition(random.nextInt(4)));
                };
        subscribers.add(subscriber(selector));
    }

    /// One that the index must take for the same selector.
    private void addEquivalent(Selector selector) {
        int before = index.selectors();
        Condition condition = selector.expression();
        Selector same =
                isSelectorText(selector) && random.nextBoolean()
                        ? parsed(
                                random.nextBoolean()
                                        ? selectors.shuffled(condition)
                                        : new Not(new Not(condition)))
                        : selector;
        subscribers.add(subscriber(same));
        assertThat(index.selectors())
                .as("%s and %s, seed %d", selector, same, SEED)
                .isEqualTo(before);
    }

    /// A correlation-ID filter cannot be written as one.
    private static boolean isSelectorText(Selector selector) {
        return !selector.text().contains(";");
    }

    private static Selector parsed(Condition condition) {
        return Selector.parse(ExpressionPrinter.print(condition));
    }

    private void remove(int i) {
        index.remove(subscribers.get(i).entry);
        subscribers.set(i, subscribers.getLast());
        subscribers.removeLast();
    }

    private void tune() {
        index.tune(8);
        if (!subscribers.isEmpty()) {
            Subscriber moved = subscribers.get(random.nextInt(subscribers.size()));
            RandomMoves.move(index, moved.entry, random);
        }
    }

    private void changeAndTune() {
        if (random.nextInt(8) == 0) {
            change();
            tune();
        }
    }

    private void match(Map<String, Object> message) {
        tune();
        for (Subscriber subscriber : subscribers) {
            subscriber.calls = 0;
            subscriber.matcher.tune();
        }
        MessageValues.set(linearValues, linearSlots, message);
        MessageValues.set(indexValues, index.slots(), message);
        if (random.nextBoolean()) {
            index.match(indexValues, matching, subscriber -> subscriber.calls++);
        } else {
            Slices.match(index, indexValues, matching, subscriber -> subscriber.calls++);
        }
    }

    private void check(Subscriber subscriber, Map<String, Object> message, boolean expected) {
        boolean linear = subscriber.matcher.matches(linearValues);
        if (linear != expected || subscriber.calls != (expected ? 1 : 0)) {
            assertThat(List.of(linear, subscriber.calls))
                    .as("%s with %s, seed %d", subscriber.selector, message, SEED)
                    .isEqualTo(List.of(expected, expected ? 1 : 0));
        }
    }

    private void removeAll() {
        while (!subscribers.isEmpty()) {
            remove(random.nextInt(subscribers.size()));
        }
        assertThat(index.moves()).isPositive();
        assertThat(index.size()).isZero();
        assertThat(index.selectors()).isZero();
        assertThat(index.terms()).isZero();
        assertThat(index.probedSlots()).isZero();
        assertThat(index.slots().constants()).isZero();
        assertThat(index.slots().usesProperties()).isFalse();
    }

    /// What other threads see, made to happen often: selectors come and go in the middle of a
    /// match, and between the reading of a message and its match.
    @Test
    void shouldAgreeWhenSelectorsChangeDuringAMatch() {
        for (int i = 0; i < MESSAGES / 2; i++) {
            // given
            change();
            tune();
            List<Subscriber> before = List.copyOf(subscribers);
            Map<String, Object> message = selectors.message();

            // when
            before.forEach(subscriber -> subscriber.calls = 0);
            MessageValues.set(indexValues, index.slots(), message);
            if (random.nextInt(4) == 0) {
                change();
            }
            MatchSink<Subscriber> sink =
                    subscriber -> {
                        subscriber.calls++;
                        if (random.nextInt(24) == 0) {
                            change();
                        }
                    };
            if (random.nextBoolean()) {
                index.match(indexValues, matching, sink);
            } else {
                Slices.match(index, indexValues, matching, sink, this::changeAndTune);
            }

            // then
            ReferenceInterpreter reference = new ReferenceInterpreter(message);
            Set<Subscriber> all = Collections.newSetFromMap(new IdentityHashMap<>());
            all.addAll(before);
            Set<Subscriber> stayed = Collections.newSetFromMap(new IdentityHashMap<>());
            stayed.addAll(subscribers);
            stayed.retainAll(all);
            all.addAll(subscribers);
            for (Subscriber subscriber : all) {
                Truth truth = reference.evaluate(subscriber.selector.expression());
                int most = truth == Truth.TRUE ? 1 : 0;
                assertThat(subscriber.calls)
                        .as("%s with %s, seed %d", subscriber.selector, message, SEED)
                        .isBetween(stayed.contains(subscriber) ? most : 0, most);
            }
        }
        removeAll();
    }

    /// So many that trees are rebuilt and clusters are cut into chunks, on the way up and down.
    @Test
    void shouldAgreeWithLinearWhenThereAreMany() {
        for (int i = 0; i < 2 * MANY; i++) {
            // given
            if (i < MANY) {
                subscribers.add(subscriber(Selector.parse(manifold())));
            } else {
                remove(random.nextInt(subscribers.size()));
            }
            if (i % 40 != 0) {
                continue;
            }

            // when
            Map<String, Object> message =
                    Map.of(
                            "id", random.nextInt(500),
                            "price", random.nextInt(1_000) / 4.0,
                            "name", "n" + random.nextInt(2_000),
                            "region", "r" + random.nextInt(3),
                            "JMSCorrelationID", "#" + random.nextInt(100));
            match(message);

            // then
            for (Subscriber subscriber : subscribers) {
                check(subscriber, message, subscriber.matcher.matches(linearValues));
            }
        }
        removeAll();
    }

    private String manifold() {
        int number = random.nextInt(1_000);
        return switch (random.nextInt(12)) {
            case 9 -> "name LIKE '%" + number + "%'";
            case 10 -> "name LIKE '%" + number % 10 + "%" + number / 10 + "_'";
            case 11 -> "name LIKE '_" + number + "%' AND NOT name LIKE '%" + number % 7 + "%'";
            case 0 -> "id = " + random.nextInt(500);
            case 1 -> "price > " + number / 4.0;
            case 2 -> "price BETWEEN " + number / 4.0 + " AND " + (number + 20) / 4.0;
            case 3 -> "name LIKE 'n" + number + "%'";
            case 4 -> "name LIKE '%" + number + "'";
            case 5 -> "region = 'r" + number % 3 + "' AND name <> 'n" + number + "'";
            case 6 -> "name IN ('n" + number + "', 'n" + random.nextInt(2_000) + "')";
            case 7 -> "NOT (price <= " + number / 4.0 + ") AND id < " + random.nextInt(500);
            default -> "id = " + random.nextInt(500) + " OR price < " + number / 4.0;
        };
    }
}
