package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.LogException;

class OperationsTest extends ShardRig {
    private final List<String> results = new ArrayList<>();

    private final Operation.Result result =
            new Operation.Result() {
                @Override
                public void onDone(long messages) {
                    results.add("done " + messages);
                }

                @Override
                public void onFailed(long messages, LogException cause) {
                    results.add(cause.reason() + " after " + messages);
                }
            };

    private StoredDestination queue(String name, int messages) {
        StoredDestination queue = shard.queue(name);
        for (int i = 0; i < messages; i++) {
            send(queue, new Spec(i, i % 2 == 0, i % 10, 0, 0, 8 + i % 3 * 300));
        }
        settle();
        return queue;
    }

    @Test
    void shouldPurgeAllButWhatIsWithConsumers() {
        StoredDestination queue = queue("q", 1000);
        StoredConsumer consumer =
                shard.attach(queue.queue(), null, (its, sequence, earlier, block, maxNameId) -> {});
        shard.onCredit(consumer, 10, 100_000);
        settle();

        shard.operations().purge(queue.queue(), Selection.all(), result);
        settle();

        assertThat(results).containsExactly("done 990");
        assertThat(queue.queue().messages()).isEqualTo(10);
        assertThat(queue.counts().purged()).isEqualTo(990);
        restart();
        assertThat(messages("q")).isLessThanOrEqualTo(10);
    }

    @Test
    void shouldPurgeWhatAFilterOrAListNames() {
        StoredDestination queue = queue("q", 30);

        shard.operations().purge(queue.queue(), Selection.matching(new EveryThird(0)), result);
        settle();
        shard.operations().purge(queue.queue(), Selection.of(1, 2, 2, 3, 999), result);
        settle();

        // Priorities 0, 3, 6 and 9, three times each; 3 has gone before.
        assertThat(results).containsExactly("done 12", "done 2");
        assertThat(queue.queue().messages()).isEqualTo(16);
    }

    @Test
    void shouldMoveMessagesInOneStepEach() {
        queue("q", 600);

        shard.operations()
                .move(shard.queue("q").queue(), Selection.all(), shard.queue("r"), result);
        for (int i = 0; i < 3; i++) {
            shard.flush();
            if (!tasks.isEmpty()) {
                tasks.removeFirst().run();
            }
        }
        long transients = 300;
        restart();
        assertThat(messages("q") + messages("r")).isGreaterThanOrEqualTo(600 - transients);
        shard.operations()
                .move(shard.queue("q").queue(), Selection.all(), shard.queue("r"), result);
        settle();

        assertThat(messages("q")).isZero();
        consumer(shard.queue("r").queue());
        settle();
        assertThat(received).doesNotHaveDuplicates();
    }

    @Test
    void shouldMoveToQueuesOnly() {
        StoredDestination queue = queue("q", 1);
        for (StoredDestination target : List.of(queue, shard.topic("t"))) {
            assertThatThrownBy(() ->
                            shard.operations().move(queue.queue(), Selection.all(), target, result))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "expected another queue to move messages of queue q to, found "
                                    + target);
        }
    }

    @Test
    void shouldGiveDeadLettersAnotherTryWhereTheyComeFrom() {
        StoredDestination queue = queue("q", 1);
        StoredConsumer consumer = consumer(queue.queue());
        send(shard.queue("dead-letters"), Spec.persistent(77));
        settle();
        for (int i = 0; i < 2; i++) {
            shard.release(consumer, new long[] {0}, Return.FAILED);
            settle();
        }
        assertThat(messages("dead-letters")).isEqualTo(2);
        received.clear();

        shard.operations()
                .retry(
                        shard.queue("dead-letters").queue(),
                        Selection.all(),
                        target -> !target.equals("forged"),
                        result);
        settle();

        assertThat(results).containsExactly("done 1");
        assertThat(received).containsExactly("0");
        assertThat(messages("dead-letters")).isEqualTo(1);
    }

    @Test
    void shouldLeaveDeadLettersWhoseQueueCannotBeUsed() {
        StoredDestination queue = queue("forged", 1);
        StoredConsumer consumer = consumer(queue.queue());
        settle();
        for (int i = 0; i < 2; i++) {
            shard.release(consumer, new long[] {0}, Return.FAILED);
            settle();
        }
        assertThat(messages("dead-letters")).isEqualTo(1);

        shard.operations()
                .retry(
                        shard.queue("dead-letters").queue(),
                        Selection.all(),
                        target -> !target.equals("forged"),
                        result);
        settle();

        assertThat(results).containsExactly("done 0");
        assertThat(messages("dead-letters")).isEqualTo(1);
    }

    @Test
    void shouldNotBelieveMessagesOfOtherQueuesWhereTheyComeFrom() {
        StoredDestination queue = queue("q", 1);

        assertThatThrownBy(() ->
                        shard.operations()
                                .retry(queue.queue(), Selection.all(), target -> true, result))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "expected the dead-letter queue 'dead-letters', found queue q: move its"
                                + " messages by name");
    }

    @Test
    void shouldLetOtherWorkGoOnAndEndWhenCancelled() {
        StoredDestination queue = queue("q", 1000);
        Operation operation = shard.operations().purge(queue.queue(), Selection.all(), result);
        tasks.removeFirst().run();
        send(queue, new Spec(5000, true, 9, 0, 0, 8));
        operation.cancel();
        settle();

        assertThat(results).containsExactly("done 256");
        assertThat(queue.queue().messages()).isEqualTo(745);
    }

    @Test
    void shouldSayThatTheLogHasFailed() {
        StoredDestination queue = queue("q", 10);
        log.fail(LogException.Reason.NO_SPACE);
        send(queue, Spec.persistent(100));
        settle();

        shard.operations().purge(queue.queue(), Selection.all(), result);
        settle();

        assertThat(results).containsExactly("NO_SPACE after 0");
    }
}
