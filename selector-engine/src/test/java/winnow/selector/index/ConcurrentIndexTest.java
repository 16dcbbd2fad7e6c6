package winnow.selector.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import winnow.selector.engine.Selector;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;

/// Threads match while another adds and removes, so many at times that clusters are cut into chunks
/// and trees are rebuilt, and then few again. Each subscriber says when it was certainly there, and
/// so which matches must and which must not happen: one that was added before the message began and
/// is not being removed is called exactly once, one that was removed before is not called, and
/// nobody is called twice. `-Dwinnow.selector.volume=N` makes it N times as long.
class ConcurrentIndexTest {

    private static final int CHANGES = 100_000 * Integer.getInteger("winnow.selector.volume", 1);
    private static final int READERS = 3;

    /// The number of subscribers grows to a thousand, and falls to a hundred, in so many changes.
    private static final int WAVE = 4_000;

    /// Subscribers that each message is checked against.
    private static final int PRESENT = 16;

    private static final int NAMES = 5;
    private static final int VALUES = 40;
    private static final long SEED = Long.getLong("winnow.selector.seed", System.nanoTime());

    private final SelectorIndex<Subscriber> index = new SelectorIndex<>(SEED);
    private final Subscriber[] always = new Subscriber[200];
    private volatile boolean finished;

    /// The last change that is complete, and the last subscriber that was added.
    private volatile int change;

    private volatile Subscriber latest = new Subscriber(new Random(SEED));

    /// Some that were there when it was written, old ones and new ones.
    private volatile Subscriber[] present = {};

    private record Message(int name, int value, int number) {}

    /// What one subscriber wants: a name with one of some values, a number above a limit, or a
    /// string with some text.
    private static final class Subscriber {

        final int kind;
        final int name;
        final int value;
        volatile boolean removing;
        volatile int removedAt;

        Subscriber(Random random) {
            this.kind = random.nextInt(6);
            this.name = random.nextInt(NAMES);
            this.value = random.nextInt(VALUES);
        }

        Selector selector() {
            String property = "p" + name;
            return Selector.parse(
                    switch (kind) {
                        case 0 -> property + " = 'v" + value + "'";
                        case 1 -> property + " LIKE '%v" + value + "' AND n >= 0";
                        case 2 -> "n > " + value + " AND " + property + " = 'v1'";
                        case 3 -> property + " IN ('v" + value + "', 'w') OR n = " + value;
                        case 4 -> property + " LIKE '%v" + value + "%'";
                        default -> "NOT " + property + " = 'v" + value + "' AND n < 2";
                    });
        }

        boolean wants(Message message) {
            boolean named = name == message.name;
            boolean same = named && value == message.value;
            return switch (kind) {
                case 0, 1 -> same;
                case 2 -> message.number > value && named && message.value == 1;
                case 3 -> same || message.number == value;
                case 4 -> named && ("v" + message.value).contains("v" + value);
                default -> named && !same && message.number < 2;
            };
        }

        /// Some message that it wants.
        Message message(Random random) {
            return switch (kind) {
                case 2 -> new Message(name, 1, value + 1);
                case 5 -> new Message(name, (value + 1) % VALUES, random.nextInt(2));
                default -> new Message(name, value, random.nextInt(VALUES));
            };
        }
    }

    @Test
    void shouldNeitherLoseNorInventMatchesWhileSelectorsComeAndGo() throws Exception {
        System.out.println("ConcurrentIndexTest: -Dwinnow.selector.seed=" + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < always.length; i++) {
            always[i] = new Subscriber(random);
            index.add(always[i].selector(), always[i]);
        }
        latest = always[0];
        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            // given
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                long seed = SEED + i;
                results.add(readers.submit(() -> read(new Random(seed))));
            }

            // when
            try {
                churn(random);
            } finally {
                finished = true;
            }

            // then
            for (Future<Long> result : results) {
                assertThat(result.get()).isGreaterThan(1_000);
            }
        }
    }

    private record Subscribed(Subscriber subscriber, SubscriberHandle<Subscriber> entry) {}

    private void churn(Random random) {
        List<Subscribed> subscribed = new ArrayList<>();
        for (int i = 1; i <= CHANGES; i++) {
            int population = i % (2 * WAVE) < WAVE ? 1_000 : 100;
            if (random.nextInt(population) < subscribed.size() / 2) {
                int at = random.nextInt(subscribed.size());
                Subscribed leaving = subscribed.set(at, subscribed.getLast());
                subscribed.removeLast();
                leaving.subscriber.removing = true;
                index.remove(leaving.entry);
                leaving.subscriber.removedAt = i;
            } else {
                Subscriber subscriber = new Subscriber(random);
                SubscriberHandle<Subscriber> entry = index.add(subscriber.selector(), subscriber);
                subscribed.add(new Subscribed(subscriber, entry));
                latest = subscriber;
            }
            change = i;
            if (i % PRESENT == 0 && !subscribed.isEmpty()) {
                present = sample(subscribed, random);
            }
            index.tune(4);
        }
        System.out.printf("%,d changes%n", CHANGES);
        for (Subscribed each : subscribed) {
            each.subscriber.removing = true;
            index.remove(each.entry);
        }
    }

    private static Subscriber[] sample(List<Subscribed> subscribed, Random random) {
        Subscriber[] sample = new Subscriber[PRESENT];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = subscribed.get(random.nextInt(subscribed.size())).subscriber;
        }
        return sample;
    }

    private long read(Random random) {
        MatchScratch matching = Slices.matching();
        SlotValues values = new SlotValues(2);
        List<Subscriber> matches = new ArrayList<>();
        Slots slots = index.slots();
        long messages = 0;
        for (; !finished; messages++) {
            // given
            Subscriber newest = latest;
            Subscriber[] added = present;
            int start = change;
            boolean ofNewest = added.length == 0 || random.nextBoolean();
            Subscriber wanting = ofNewest ? newest : added[random.nextInt(added.length)];
            Message message = wanting.message(random);
            byte[] text = ("v" + message.value).getBytes(UTF_8);
            values.reset(slots);
            values.setString(slots.slotOf("p" + message.name), text, 0, text.length);
            values.setInt(slots.slotOf("n"), message.number);

            // when
            matches.clear();
            if (random.nextBoolean()) {
                index.match(values, matching, matches::add);
            } else {
                Slices.match(index, values, matching, matches::add);
            }

            // then
            for (Subscriber subscriber : matches) {
                boolean gone = subscriber.removedAt != 0 && subscriber.removedAt <= start;
                assertThat(gone).as("match of a removed one, seed %d", SEED).isFalse();
                assertThat(subscriber.wants(message)).as("wrong, seed %d", SEED).isTrue();
            }
            Set<Subscriber> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
            distinct.addAll(matches);
            assertThat(distinct).as("nobody twice, seed %d", SEED).hasSize(matches.size());
            check(newest, message, distinct);
            for (Subscriber subscriber : added) {
                check(subscriber, message, distinct);
            }
            for (Subscriber subscriber : always) {
                check(subscriber, message, distinct);
            }
        }
        return messages;
    }

    /// @param subscriber one that was added before the message began
    private static void check(Subscriber subscriber, Message message, Set<Subscriber> matches) {
        boolean missed = subscriber.wants(message) && !matches.contains(subscriber);
        if (missed && !subscriber.removing) {
            assertThat(matches).as("matches of %s, seed %d", message, SEED).contains(subscriber);
        }
    }
}
