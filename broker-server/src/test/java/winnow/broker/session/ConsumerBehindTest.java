package winnow.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.FakeLoop;
import winnow.broker.subscription.RecordingListener;
import winnow.broker.subscription.RecordingTarget;
import winnow.broker.subscription.Subscription;
import winnow.broker.subscription.SubscriptionsBehind;

class ConsumerBehindTest {
    private static final SubscriptionsBehind.Limits LIMITS =
            new SubscriptionsBehind.Limits(1 << 20, Duration.ofMinutes(1));

    private final FakeLoop loop = new FakeLoop(0, new BacklogMemory(1 << 20));
    private final Subscription subscription =
            new Subscription(1, new RecordingTarget(loop), false, new RecordingListener(), 1000);
    private final ConsumerBehind behind = new ConsumerBehind("topic", subscription, why -> {});

    @Test
    void shouldNotBeAmongThoseThatHaveToGoWhenItsSubscriptionHasEnded() {
        // given
        subscription.onMessage(loop.numberMessages(1), new byte[2000], 0, 2000, 0);
        behind.onTick(LIMITS);
        behind.onTick(LIMITS);
        assertThat(behind.catchUpSeconds()).isInfinite();

        // when
        subscription.close();

        // then
        assertThat(behind.catchUpSeconds()).isZero();
    }
}
