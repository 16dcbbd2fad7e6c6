package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;
import winnow.broker.shard.PublishedNumbers.Answer;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.wire.ClientInstance;

/// Tests of what is known of the publishes of clients that come back.
class InstancesTest extends ShardRig {
    private static final InstanceKey KEY = new InstanceKey(3, 4);

    private Instances instances() {
        return shard.sentAgain().instances();
    }

    /// Appends a message of an instance.
    private void publish(String queue, long number, boolean persistent) {
        Blocks.Spec spec =
                persistent ? Blocks.Spec.persistent(number) : Blocks.Spec.transientOne(number);
        shard.append(
                shard.queue(queue),
                Blocks.block(spec),
                0,
                Recipients.NONE,
                "",
                new Outcome() {
                    @Override
                    public void onTaken(Shard its, boolean stored) {
                        its.sentAgain().instances().add(KEY, "ann", number, number, stored);
                    }

                    @Override
                    public void onDone() {}

                    @Override
                    public void onFailed(LogException failure) {}
                });
    }

    private Answer answer(long number) {
        return instances().find(KEY, "ann").answer(number);
    }

    @Test
    void shouldKnowAfterACrashExactlyWhatIsThere() {
        // given
        publish("q", 1, true);
        settle();
        publish("q", 2, true);
        shard.flush();

        // when
        restart();

        // then
        assertThat(answer(1)).isEqualTo(Answer.TAKEN);
        assertThat(messages("q")).isEqualTo(answer(2) == Answer.TAKEN ? 2 : 1);
        assertThat(answer(3)).isEqualTo(Answer.NOT_TAKEN);
    }

    @Test
    void shouldKnowWhatIsNotStoredAsLongAsTheBrokerRuns() {
        publish("q", 1, false);
        settle();
        assertThat(answer(1)).isEqualTo(Answer.TAKEN);

        restart();

        assertThat(answer(1)).isEqualTo(Answer.NOT_TAKEN);
    }

    @Test
    void shouldForgetAnInstanceThatEnds() {
        publish("q", 1, true);
        settle();

        instances().end(shard, KEY);
        settle();
        restart();

        assertThat(instances().size()).isZero();
        assertThat(answer(1)).isEqualTo(Answer.NOT_TAKEN);
        assertThat(messages("q")).isEqualTo(1);
    }

    @Test
    void shouldForgetFirstThoseOfTheOwnerWithTheMost() {
        // given
        long[] now = {1};
        Instances few = new Instances(100, HeapPart.alone(Long.MAX_VALUE), () -> now[0]);
        InstanceKey quiet = new InstanceKey(0, 0);
        few.add(quiet, "quiet", 1, 1, true);

        // when
        for (int i = 1; i <= 1000; i++) {
            few.add(new InstanceKey(1, i), "busy", 1, 1, true);
            few.write(new Batch());
        }

        // then
        assertThat(few.size()).isLessThanOrEqualTo(100 + Instances.FORGOTTEN_TOGETHER);
        assertThat(few.find(quiet, "quiet").answer(1)).isEqualTo(Answer.TAKEN);
        InstanceKey first = new InstanceKey(1, 1);
        InstanceKey unknown = new InstanceKey(2, 2);
        assertThat(few.find(first, "busy").answer(1)).isEqualTo(Answer.FORGOTTEN);
        assertThat(few.find(unknown, "quiet").answer(1)).isEqualTo(Answer.NOT_TAKEN);
        now[0] += 1 + Instances.KEPT_MILLIS;
        assertThat(few.find(first, "busy").answer(1)).isEqualTo(Answer.NOT_TAKEN);
    }

    @Test
    void shouldTakeNoMoreOfTheHeapThanItMay() {
        Instances small = new Instances(100_000, HeapPart.alone(50_000), () -> 1);

        for (int i = 0; i < 5000; i++) {
            InstanceKey key = new InstanceKey(i % 7, i);
            for (int gap = 0; gap < i % 50; gap++) {
                small.add(key, "owner " + i % 3, 2L * gap + 1, 2L * gap + 1, false);
                small.write(new Batch());
            }
            assertThat(small.bytes()).isLessThanOrEqualTo(50_000);
        }
        assertThat(small.size()).isPositive();
    }

    @Test
    void shouldForgetAfterADay() {
        publish("q", 1, true);
        settle();
        restart();
        clocks(2000 + Instances.KEPT_MILLIS, 2000 + Instances.KEPT_MILLIS);

        instances().add(new InstanceKey(9, 9), "bob", 1, 1, false);
        settle();

        assertThat(instances().size()).isEqualTo(1);
        assertThat(answer(1)).isEqualTo(Answer.NOT_TAKEN);
    }

    @Test
    void shouldRememberThatSomethingWasForgotten() {
        // when
        Instances again = new Instances(1, HeapPart.alone(Long.MAX_VALUE), () -> 6);
        again.recover(Keys.of(0), ByteBuffer.allocate(Long.BYTES).putLong(5).array());
        again.onRecovered(new Batch());

        // then
        assertThat(again.find(KEY, "ann").answer(1)).isEqualTo(Answer.FORGOTTEN);
    }

    @Test
    void shouldFindDamagedRows() {
        publish("q", 1, true);
        settle();
        assertThat(StoreCheck.verify(log, (_, _) -> {}).damages()).isEmpty();

        Batch damage = new Batch();
        damage.put(Table.INSTANCES, KEY.row(), new byte[] {1, 2, 3});
        log.damage(damage);

        assertThat(StoreCheck.verify(log, (_, _) -> {}).damages()).isNotEmpty();
    }

    @Test
    void shouldHaveOtherKeysForOtherUsers() {
        ClientInstance instance = ClientInstance.create();

        assertThat(InstanceKey.of(instance, "ann")).isEqualTo(InstanceKey.of(instance, "ann"));
        assertThat(InstanceKey.of(instance, "ann")).isNotEqualTo(InstanceKey.of(instance, "bob"));
    }

    @Test
    void shouldTellForgottenTransactionsFromOthers() {
        // given
        long start = 1_800_000_000_000L;
        long[] now = {start};
        DuplicateWindow window = new DuplicateWindow(10, HeapPart.alone(1 << 30), () -> now[0]);
        window.add(new Batch(), "ann", "first", true);
        now[0] += 60_000;

        // when
        for (int i = 0; i < 1100; i++) {
            window.add(new Batch(), "ann", "=" + i, true);
            now[0] += 1000;
        }

        // then
        assertThat(window.contains("first")).isFalse();
        assertThat(window.mayHaveForgotten("ann", start)).isTrue();
        assertThat(window.mayHaveForgotten("ann", now[0] - 5000)).isFalse();
        assertThat(window.mayHaveForgotten("bob", start)).isFalse();
    }
}
