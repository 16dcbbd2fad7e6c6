package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.broker.shard.Blocks.Spec;

/// A queue whose messages are dead letters after one failed attempt.
class SingleAttemptTest extends ShardRig {
    @BeforeEach
    void policy() {
        config = config(4000, 1, 0);
        restart();
    }

    private StoredConsumer receive() {
        StoredConsumer consumer = consumer(shard.queue("q").queue());
        settle();
        return consumer;
    }

    @ParameterizedTest
    @EnumSource(
            value = Return.class,
            names = {"UNSEEN", "UNKNOWN"})
    void shouldGiveOutAfterARestartWhatHasNotFailed(Return how) {
        // given a message that may have been delivered before the broker ended
        send(shard.queue("q"), Spec.persistent(1));
        receive();
        restart();

        // when it is delivered, and comes back
        shard.detach(receive(), how);
        shard.settle();
        settle();
        restart();
        shard.onTime(shard.nowMillis());
        settle();

        // then
        assertThat(messages("dead-letters")).isZero();
        StoredConsumer last = receive();
        assertThat(received).containsExactly("1", "1!", "1!");
        shard.release(last, new long[] {0}, Return.FAILED);
        settle();
        assertThat(messages("dead-letters")).isEqualTo(1);
    }

    @Test
    void shouldKeepAMarkOverSeveralRestarts() {
        send(shard.queue("q"), Spec.persistent(1));
        shard.detach(receive(), Return.UNKNOWN);
        settle();
        for (int i = 0; i < 3; i++) {
            shard.settle();
            settle();
            restart();
        }

        receive();

        assertThat(received).containsExactly("1", "1!");
    }
}
