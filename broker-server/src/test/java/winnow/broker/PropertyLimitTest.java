package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.broker.matching.MatchingMode;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// What one message and one selector can cost has limits, and who goes beyond them is told.
class PropertyLimitTest {
    private static final String LONGEST = "x".repeat(32_768);

    private static Broker start(MatchingMode matching) throws IOException {
        Map<String, String> settings =
                Map.of("session.producer-window", "16KiB", "destination.matching", matching.name());
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAMessageWithATooLongPropertyAndGoOn(MatchingMode matching) throws IOException {
        try (Broker broker = start(matching);
                TestClient producer = TestClient.connect(broker);
                TestClient consumer = TestClient.connect(broker)) {
            // given
            consumer.subscribe(1, "t", "note LIKE '%a_b%' OR note LIKE 'x%' OR n = 1", "");
            producer.open(1, "t");

            // when more than the producer has credit for at once
            for (int i = 0; i < 10; i++) {
                producer.awaitProducerCredit(1);
                producer.publish(1, "", Map.of("note", LONGEST + "x"), "refused");
                ControlFrame.PublishRefused refused =
                        producer.await(ControlFrame.PublishRefused.class);

                // then
                assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
                assertThat(refused.message())
                        .startsWith(
                                "note: expected at most 32768 bytes"
                                        + " (destination.max-property-bytes), found 32769");
            }
            producer.awaitProducerCredit(1);
            producer.publish(1, LONGEST + "x", Map.of("n", 1), "refused");
            assertThat(producer.await(ControlFrame.PublishRefused.class).message())
                    .startsWith("JMSCorrelationID: expected at most 32768 bytes");
            producer.awaitProducerCredit(1);
            producer.publish(1, LONGEST, Map.of("note", LONGEST), "taken");
            assertThat(consumer.await(TestClient.Delivered.class).body()).isEqualTo("taken");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseASelectorThatCouldTakeSecondsAndGoOn(MatchingMode matching)
            throws IOException {
        try (Broker broker = start(matching);
                TestClient client = TestClient.connect(broker)) {
            // when
            String many = "s LIKE '%a_b%'" + " OR s LIKE '%a_b%'".repeat(128);
            client.requestSubscription(1, "t", many, "", 10);

            // then
            ControlFrame.Refused refused = client.expect(ControlFrame.Refused.class);
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_SELECTOR.number());
            assertThat(refused.message()).contains("at most 128 times", "(limit maxScannedBytes)");
            client.subscribe(1, "t", "s LIKE '%a_b%'", "");
        }
    }
}
