package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.destination.Topic;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;

/// Large messages whose recipients are found in several turns of the loop.
class LargeLongMatchTest extends RoutingTurns {
    private static final int LARGE_BYTES = 1_500_000;

    /// Before the text that is recorded of a large message.
    private static final String MUCH_TEXT = "y".repeat(LARGE_BYTES);

    @BeforeEach
    void recordFew() {
        near.recordedBytes = 100;
        far.recordedBytes = 100;
    }

    @Test
    void shouldGiveALargeMessageInStepsWithoutCopies() {
        // given
        String body = "/a1";
        subscribeMany(near, "n%d IS NULL");
        for (int id = 1; id <= SUBSCRIBERS; id++) {
            subscribe(LONG, id, far, "f" + id + " IS NULL");
        }

        // when
        a.publish(1, MUCH_TEXT + body);
        a.publish(1, "/a2");
        a.send();
        assertThat(a.confirmed()).isZero();
        assertThat(near.copies).hasSizeBetween(1, SUBSCRIBERS - 1);
        loop.runAllCommands();

        // then the other loop has what is on its way in one array
        assertThat(loop.router().congested()).isFalse();
        loop.other.runAllCommands();
        assertAllGot(near, "a1", "a2");
        assertAllGot(far, "a1", "a2");
        assertThat(a.confirmed()).isEqualTo(2);
        assertThat(arrays(near, body)).hasSize(1).isEqualTo(arrays(far, body));

        // and each loop knows that all are copies of one message
        assertThat(numbers(near, body)).hasSize(1);
        assertThat(numbers(far, body)).hasSize(1);
    }

    private static Set<Long> numbers(RecordingTarget target, String body) {
        return IntStream.range(0, target.copies.size())
                .filter(i -> target.copies.get(i).endsWith(body))
                .mapToObj(target.numbers::get)
                .collect(Collectors.toSet());
    }

    private static Set<byte[]> arrays(RecordingTarget target, String body) {
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        IntStream.range(0, target.copies.size())
                .filter(i -> target.copies.get(i).endsWith(body))
                .forEach(i -> arrays.add(target.arrays.get(i)));
        return arrays;
    }

    @Test
    void shouldKeepALargeMessageOnceForAllWhoWait() {
        // given subscribers without credit, on both loops
        List<Subscription> subscriptions = subscribeWithoutCredit();

        // when
        a.publish(1, MUCH_TEXT + "/a1");
        a.send();
        loop.runAllCommands();
        loop.other.runAllCommands();

        // then
        assertThat(sliced()).isOne();
        assertThat(memory.usedBytes()).isBetween(2L * LARGE_BYTES, 2L * LARGE_BYTES + 100_000);

        // and nobody keeps it any more when all have it
        subscriptions.forEach(one -> one.onCredit(MUCH, MUCH));
        assertThat(near.copies).hasSize(SUBSCRIBERS);
        assertThat(far.copies).hasSize(SUBSCRIBERS);
        assertThat(memory.usedBytes()).isZero();
    }

    private List<Subscription> subscribeWithoutCredit() {
        Topic topic = context.destinations().acquireTopic(LONG);
        List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < 2 * SUBSCRIBERS; i++) {
            RecordingTarget target = i % 2 == 0 ? near : far;
            Subscription one = new Subscription(20_000 + i, target, false, topic, MUCH);
            add(LONG, one, "n" + i + " IS NULL");
            subscriptions.add(one);
        }
        return subscriptions;
    }

    @Test
    void shouldKeepNothingOfALargeMessageWhoseProducerGoes() {
        // given
        List<Subscription> subscriptions = subscribeWithoutCredit();
        a.publish(1, MUCH_TEXT + "/a1");
        a.send();
        loop.runCommands();
        loop.other.runAllCommands();
        assertThat(a.confirmed()).isZero();

        // when
        a.connection.onLost("test");
        a.splitter.stop();
        loop.runAllCommands();
        loop.other.runAllCommands();

        // then those have it who were found
        subscriptions.forEach(one -> one.onCredit(MUCH, MUCH));
        assertThat(near.copies).hasSizeBetween(1, SUBSCRIBERS - 1);
        assertThat(far.copies).hasSizeBetween(1, SUBSCRIBERS - 1);
        assertThat(memory.usedBytes()).isZero();
        assertThat(frameMemory.usedBytes()).isZero();
        assertThat(loop.router().congested()).isFalse();
    }

    @Test
    void shouldKeepNothingOfALargeMessageWhoseDeliveryClosesTheProducer() {
        // given
        List<Subscription> waiting = subscribeWithoutCredit();
        subscribeMany(near, "m%d IS NULL");
        near.onCopy =
                _ -> {
                    if (near.copies.size() == SUBSCRIBERS / 2) {
                        a.connection.onLost("test");
                        a.splitter.stop();
                    }
                };

        // when
        a.publish(1, MUCH_TEXT + "/a1");
        a.send();
        loop.runAllCommands();
        loop.other.runAllCommands();

        // then
        near.onCopy = _ -> {};
        waiting.forEach(one -> one.onCredit(MUCH, MUCH));
        assertThat(near.copies).hasSizeBetween(SUBSCRIBERS / 2, 2 * SUBSCRIBERS - 1);
        assertThat(memory.usedBytes()).isZero();
        assertThat(frameMemory.usedBytes()).isZero();
    }

    @Test
    void shouldGiveALargeMessageOnceToThoseWhoStay() {
        // given
        subscribeMany(near, "n%d IS NULL");
        List<Subscription> leaving = subscribeWithoutCredit();
        leaving.forEach(one -> one.onCredit(MUCH, MUCH));
        Topic topic = context.destinations().acquireTopic(LONG);

        // when some come and some go between the steps
        a.publish(1, MUCH_TEXT + "/a1");
        a.publish(1, "/a2");
        a.send();
        for (int i = 0; i < leaving.size(); i++) {
            loop.runCommands();
            topic.remove(leaving.get(i));
            leaving.get(i).close();
            Subscription coming = new Subscription(10_000 + i, near, false, topic, MUCH);
            coming.onCredit(MUCH, MUCH);
            topic.add(coming, SubscriptionFilter.NONE, null, () -> {}, Assertions::fail);
        }
        loop.runAllCommands();
        loop.other.runAllCommands();

        // then
        assertThat(near.copies).doesNotHaveDuplicates();
        assertThat(far.copies).doesNotHaveDuplicates();
        for (int id = 10; id <= SUBSCRIBERS; id += 10) {
            String prefix = id + ":";
            assertThat(near.copies.stream().filter(copy -> copy.startsWith(prefix)))
                    .as("subscriber %d", id)
                    .hasSizeGreaterThanOrEqualTo(2);
        }
        assertThat(sliced()).isEqualTo(2);
    }

    @Test
    void shouldMatchLargeMessagesOfManyProducers() {
        // given
        subscribeMany(near, "n%d IS NULL");
        List<Client> clients = IntStream.range(0, 8).mapToObj(_ -> new Client()).toList();

        // when
        for (int i = 0; i < 8; i++) {
            Client one = clients.get(i);
            one.publish(1, MUCH_TEXT + "/y" + i);
            one.publish(1, "/z" + i);
            one.send();
        }

        // then
        assertThat(clients).noneMatch(client -> client.confirmed() > 0);
        loop.runAllCommands();
        assertThat(clients).allMatch(client -> client.confirmed() == 2);
        for (int id = 2; id <= SUBSCRIBERS; id += 100) {
            List<String> bodies = bodies(near, id);
            assertThat(bodies).hasSize(16).doesNotHaveDuplicates();
            for (int i = 0; i < 8; i++) {
                assertThat(bodies).containsSubsequence("y" + i, "z" + i);
            }
        }
        assertThat(frameMemory.usedBytes()).isZero();
    }
}
