package winnow.broker.destination;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.BudgetListener;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;
import winnow.broker.subscription.WaitingMessages;

class DeliveryBatchTest {
    private static final int LARGE = 5000;

    private final long seed = Long.getLong("winnow.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final RecordingLoop loop = new RecordingLoop();
    private final List<String> all = new ArrayList<>();
    private final DeliveryBatch batch = new DeliveryBatch();

    @Test
    void shouldGiveEachTargetItsCopiesInOrderHoweverTheyAreMixed() {
        List<RecordingTarget> targets = targets(17);
        List<Subscription> subscriptions = subscriptions(targets, 40);

        for (int round = 0; round < 20; round++) {
            deliverRandomCopies(subscriptions, targets, 1 + random.nextInt(300), 8);
        }
    }

    @Test
    void shouldDeliverLargeMessagesOneAfterTheOther() {
        // given
        List<RecordingTarget> targets = targets(3);
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
        List<RecordingTarget> targets = targets(3);
        List<Subscription> subscriptions = subscriptions(targets, 3);

        // when
        for (int message = 0; message < 2; message++) {
            batch.addMessage(message, message + 1, 0);
            subscriptions.forEach(batch::addCopy);
        }
        batch.deliver(loop, "ab".getBytes(US_ASCII));

        // then
        assertThat(all.stream().map(copy -> copy.substring(copy.indexOf('/') + 1)))
                .containsExactly("1:a", "1:b", "2:a", "2:b", "3:a", "3:b");
        assertThat(loop.delivered).isEqualTo(6);
    }

    private void deliverRandomCopies(
            List<Subscription> subscriptions,
            List<RecordingTarget> targets,
            int messages,
            int bytes) {
        byte[] array = new byte[messages * bytes];
        random.nextBytes(array);
        List<List<String>> expected = new ArrayList<>();
        targets.forEach(target -> {
            target.copies.clear();
            expected.add(new ArrayList<>());
        });
        long number = loop.messages;
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
        batch.deliver(loop, array);
        assertThat(targets.stream().map(target -> target.copies))
                .as("-Dwinnow.seed=" + seed)
                .isEqualTo(expected);
        assertThat(batch.copies()).isZero();
    }

    private static String text(int id, byte[] array, int message, int bytes) {
        return id + ":" + new String(array, message * bytes, bytes, US_ASCII);
    }

    private List<RecordingTarget> targets(int count) {
        List<RecordingTarget> targets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            targets.add(new RecordingTarget());
        }
        return targets;
    }

    /// With credit for everything, one after the other on each target in turn.
    private List<Subscription> subscriptions(List<RecordingTarget> targets, int count) {
        List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Subscription subscription =
                    new Subscription(
                            i + 1, targets.get(i % targets.size()), false, new Budgets(), 1 << 20);
            subscription.onCredit(1 << 20, 1 << 30);
            subscriptions.add(subscription);
        }
        return subscriptions;
    }

    private static final class Budgets implements BudgetListener {
        @Override
        public void onOverBudget(Subscription subscription) {
            throw new AssertionError("there is credit");
        }

        @Override
        public void onRelieved(Subscription subscription) {
            throw new AssertionError("there is credit");
        }
    }

    private static final class RecordingLoop implements Loop {
        private final WaitingMessages waiting =
                new WaitingMessages(this, new BacklogMemory(1 << 20));
        private long messages;
        private int delivered;

        @Override
        public int index() {
            return 0;
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public FaultBarrier faults() {
            return new FaultBarrier(new LongAdder());
        }

        @Override
        public WaitingMessages waiting() {
            return waiting;
        }

        @Override
        public long numberMessages(int count) {
            messages += count;
            return messages - count + 1;
        }

        @Override
        public void onDelivered(int copies, long nanos) {
            delivered += copies;
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    }

    private final class RecordingTarget implements DeliveryTarget {
        private final List<String> copies = new ArrayList<>();
        private int place;

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void deliver(long message, int subscriptionId, byte[] array, int start, int end) {
            String copy =
                    message
                            + "/"
                            + subscriptionId
                            + ":"
                            + new String(array, start, end - start, US_ASCII);
            copies.add(copy);
            all.add(copy);
        }

        @Override
        public void appendFrames(byte[] array, int start, int end) {
            throw new AssertionError("there is credit");
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void place(int newPlace) {
            place = newPlace;
        }

        @Override
        public boolean announceNames(int maxNameId) {
            return true;
        }

        @Override
        public void onFault(Throwable fault) {
            throw new AssertionError("a delivery failed", fault);
        }
    }
}
