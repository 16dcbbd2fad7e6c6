package winnow.loadgen.rate;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import winnow.loadgen.fake.FakeConnectionFactory;
import winnow.loadgen.worker.Provider;

class RateSubscriberTest {

    @Test
    void shouldNotCountAMessageThatWasNotHandled() throws Exception {
        // given: transactions of one message, which the provider does not know
        var provider = new Provider(FakeConnectionFactory.class.getName(), "fake:none", "", "");
        var load =
                new RateLoad(
                        new Target(Target.Kind.TOPIC, "rate-subscriber"),
                        1,
                        1,
                        false,
                        false,
                        1,
                        RateLoad.MIN_BODY_BYTES,
                        Duration.ZERO,
                        Spacing.CONSTANT,
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        1,
                        SideLoads.NONE);
        var problems = new RateProblems();
        var subscriber =
                new RateSubscriber(load, provider, 0, List.of(new DistinctNumbers()), problems);
        try (var connection = provider.connect()) {
            var message =
                    connection.createSession(false, Session.AUTO_ACKNOWLEDGE).createBytesMessage();
            message.writeLong(0);
            message.writeInt(0);
            message.writeLong(0);

            // when
            subscriber.onMessage(message);
        }

        // then
        assertThat(problems.failure()).contains("commit");
        assertThat(subscriber.received()).isZero();
        assertThat(subscriber.distinct()).isZero();
    }
}
