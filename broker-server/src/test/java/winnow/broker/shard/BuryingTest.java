package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.HeapPart;
import winnow.broker.shard.Blocks.Spec;

/// Many messages that go to the dead-letter queue together, and the memory that this takes.
class BuryingTest extends ShardRig {
    private static final int MESSAGES = 2000;

    @BeforeEach
    void allowOneDelivery() {
        config = config(1 << 20, 1, 0, 5000);
        restart();
    }

    private StoredConsumer withAllMessages() {
        StoredDestination queue = shard.queue("q");
        for (int i = 0; i < MESSAGES; i++) {
            send(queue, Spec.persistent(i));
        }
        StoredConsumer consumer = consumer(queue.queue());
        shard.onCredit(consumer, MESSAGES, 1_000_000);
        settle();
        assertThat(consumer.unacknowledged()).isEqualTo(MESSAGES);
        return consumer;
    }

    private void passTime() {
        for (int i = 0; i < 20; i++) {
            shard.onTime(10_000L * (i + 1));
            settle();
        }
    }

    @Test
    void shouldBurySomeAtATime() {
        StoredConsumer consumer = withAllMessages();

        shard.release(consumer, sequences(0, MESSAGES), Return.FAILED);
        shard.flush();

        assertThat(messages("dead-letters")).isBetween(1L, 256L);
        settle();
        passTime();
        assertThat(messages("dead-letters")).isEqualTo(MESSAGES);
        assertThat(messages("q")).isZero();
        assertThat(received).hasSize(MESSAGES);
    }

    @Test
    void shouldLetDeadLettersWaitWhereThereIsNoMemoryForThem() {
        // given
        StoredConsumer consumer = withAllMessages();
        long[] used = {MESSAGES * 1000};
        shard.memory().limit(() -> used[0], HeapPart.alone(MESSAGES * 1000));

        // when
        shard.release(consumer, sequences(0, MESSAGES), Return.FAILED);
        settle();

        // then
        assertThat(messages("dead-letters")).isZero();
        assertThat(messages("q")).isEqualTo(MESSAGES);
        used[0] = 0;
        passTime();
        assertThat(messages("dead-letters")).isEqualTo(MESSAGES);
    }

    @Test
    void shouldTryDeadLettersAgainThatWaitedForOthersWhichTookTheMemory() {
        // given
        StoredConsumer consumer = withAllMessages();
        long[] room = {256};
        shard.memory()
                .limit(
                        () -> messages("dead-letters") < room[0] ? 0 : 20_000_000,
                        HeapPart.alone(20_000_000));

        // when
        shard.release(consumer, sequences(0, MESSAGES), Return.FAILED);
        settle();

        // then
        assertThat(messages("dead-letters")).isBetween(1L, 256L);
        room[0] = MESSAGES + 1;
        passTime();
        assertThat(messages("dead-letters")).isEqualTo(MESSAGES);
    }

    @Test
    void shouldGiveNothingToThoseWhoWouldKeepItWithoutMemory() {
        // given
        long[] used = {2000};
        shard.memory().limit(() -> used[0], HeapPart.alone(1000));
        StoredDestination queue = shard.queue("q");
        StoredConsumer[] made = new StoredConsumer[1];
        made[0] =
                shard.attach(
                        queue.queue(),
                        null,
                        new StoredConsumer.Receiver() {
                            @Override
                            public boolean ready() {
                                return shard.memory().hasRoom(made[0]);
                            }

                            @Override
                            public void onMessage(
                                    StoredConsumer its,
                                    long sequence,
                                    int earlier,
                                    byte[] block,
                                    int maxNameId) {
                                received.add("" + Blocks.id(block));
                            }
                        });
        shard.onCredit(made[0], 10, 10_000);
        used[0] = 0;
        send(queue, Spec.transientOne(1));
        used[0] = 2000;
        settle();
        assertThat(received).isEmpty();

        // when
        used[0] = 0;
        passTime();

        // then
        assertThat(received).containsExactly("1");
    }

    @Test
    void shouldLeaveMemoryForOtherQueues() {
        shard.memory().limit(() -> 0, HeapPart.alone(100_000));
        Result result = new Result();
        int sent = 0;
        while (sent < 10_000 && result.failure == null) {
            result = send(shard.queue("unread"), Spec.transientOne(sent++));
        }

        Result other = send(shard.queue("other"), Spec.transientOne(1));
        settle();

        assertThat(result.failure).isNotNull().hasMessageContaining("storage.memory");
        assertThat(other.done).isTrue();
    }
}
