package winnow.broker.routing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingListener;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;

class DeliveryBatchTest {
    private static final int LARGE = 5000;

    private final long seed = Long.getLong("winnow.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1 << 20));
    private final RecordingListener budgets = new RecordingListener();
    private final List<String> all = new ArrayList<>();
    private final DeliveryBatch batch = new DeliveryBatch();

    @Test
    void shouldGiveEachTargetItsCopiesInOrderHoweverTheyAreMixed() {
        List<NumberedTarget> targets = targets(17);
        List<Subscription> subscriptions = subscriptions(targets, 40);

        for (int round = 0; round < 20; round++) {
            deliverRandomCopies(subscriptions, targets, 1 + random.nextInt(300), 8);
        }
    }

    @Test
    void shouldDeliverLargeMessagesOneAfterTheOther() {
        // given
        List<NumberedTarget> targets = targets(3);
        List<Subscription> subscriptions = subscriptions(targets, 3);

        // when
        deliverRandomCopies(subscriptions, targets, 4, LARGE);

        // then no message comes again after another one
        List<String> numbers =
                all.stream().map(copy -> copy.substring(0, copy.indexOf('/'))).toList();
        List<String> runs = new ArrayList<>();
        for (String number : numbers) {
            if (runs.isEmpty() || !runs.getLast().equals(number)) {
                runs.add(number);
            }
        }
        assertThat(runs).as("-Dwinnow.seed=" + seed).doesNotHaveDuplicates();
    }

    @Test
    void shouldDeliverTargetByTarget() {
        // given
        List<NumberedTarget> targets = targets(3);
        List<Subscription> subscriptions = subscriptions(targets, 3);

        // when
        for (int message = 0; message < 2; message++) {
            batch.addMessage(message, message + 1, 0);
            subscriptions.forEach(batch::addCopy);
        }
        batch.deliver(loop, "ab".getBytes(US_ASCII), 0);

        // then
        assertThat(all.stream().map(copy -> copy.substring(copy.indexOf('/') + 1)))
                .containsExactly("1:a", "1:b", "2:a", "2:b", "3:a", "3:b");
        assertThat(loop.delivered).isEqualTo(6);
    }

    private void deliverRandomCopies(
            List<Subscription> subscriptions,
            List<NumberedTarget> targets,
            int messages,
            int bytes) {
        byte[] array = new byte[messages * bytes];
        random.nextBytes(array);
        List<List<String>> expected = new ArrayList<>();
        targets.forEach(target -> {
            target.copies.clear();
            expected.add(new ArrayList<>());
        });
        long number = loop.numberMessages(0) - 1;
        for (int message = 0; message < messages; message++) {
            batch.addMessage(message * bytes, (message + 1) * bytes, 0);
            number++;
            for (Subscription subscription : subscriptions) {
                if (random.nextInt(3) == 0) {
                    batch.addCopy(subscription);
                    expected.get(targets.indexOf(subscription.target()))
                            .add(number + "/" + text(subscription.id(), array, message, bytes));
                }
            }
        }
        batch.deliver(loop, array, 0);
        assertThat(targets.stream().map(target -> target.copies))
                .as("-Dwinnow.seed=" + seed)
                .isEqualTo(expected);
        assertThat(batch.copies()).isZero();
        assertThat(loop.faultCount()).isZero();
        assertThat(budgets.calls).as("there is credit").isEmpty();
    }

    private static String text(int id, byte[] array, int message, int bytes) {
        return id + ":" + new String(array, message * bytes, bytes, US_ASCII);
    }

    private List<NumberedTarget> targets(int count) {
        List<NumberedTarget> targets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            targets.add(new NumberedTarget());
        }
        return targets;
    }

    /// With credit for everything, one after the other on each target in turn.
    private List<Subscription> subscriptions(List<NumberedTarget> targets, int count) {
        List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Subscription subscription =
                    new Subscription(
                            i + 1, targets.get(i % targets.size()), false, budgets, 1 << 20);
            subscription.onCredit(1 << 20, 1 << 30);
            subscriptions.add(subscription);
        }
        return subscriptions;
    }

    /// Keeps its copies with the number of their message in front, here and with those of all.
    private final class NumberedTarget extends RecordingTarget {
        NumberedTarget() {
            super(loop);
        }

        @Override
        public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
            super.deliver(message, subscriptionId, array, start, end);
            String copy = message + "/" + copies.removeLast();
            copies.add(copy);
            all.add(copy);
        }
    }
}
