package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.CreateTemporary;

/// No durable subscription that a broker accepts keeps it from starting again.
class DurableStartTest {
    @TempDir private Path data;

    private Broker start() throws IOException {
        return new Broker(
                BrokerConfig.of(
                        Map.of(
                                "storage.directory",
                                data.resolve("store").toString(),
                                "destination.max-property-bytes",
                                "1024")),
                InetAddress.getLoopbackAddress(),
                0,
                0);
    }

    private static Consume durable(int id, ConsumerRole role, String topic, String selector) {
        Source source = new Source(DestinationKind.TOPIC, topic, selector, "");
        return new Consume(id, 1, 1, role, source, "name", false, 1, 1 << 20);
    }

    @Test
    void shouldRefuseDurableSubscriptionsOfTemporaryTopics() throws IOException {
        try (Broker broker = start();
                TestClient client = new TestClient(broker.address())) {
            long connection = client.greet("c");
            String topic = Protocol.TEMPORARY_PREFIX + "%016x/1".formatted(connection);
            client.request(id -> new CreateTemporary(id, DestinationKind.TOPIC, topic));
            client.request(id -> new BeginSession(id, 1, false));

            client.refused(
                    ErrorCode.INVALID_DESTINATION,
                    id -> durable(id, ConsumerRole.DURABLE, topic, ""));
            client.refused(
                    ErrorCode.INVALID_DESTINATION,
                    id -> durable(id, ConsumerRole.SHARED_DURABLE, topic, ""));
            client.request(id -> durable(id, ConsumerRole.SHARED, topic, ""));
        }

        try (Broker again = start()) {
            assertThat(again.address().getPort()).isPositive();
        }
    }

    @Test
    void shouldStartWithSelectorsThatItAcceptedByItsSettings() throws IOException {
        // given
        // More passes over strings than by default, which may be shorter instead.
        String selector = String.join(" OR ", Collections.nCopies(130, "x LIKE '%a%'"));
        try (Broker broker = start();
                TestClient client = new TestClient(broker.address())) {
            client.greet("c");
            client.request(id -> new BeginSession(id, 1, false));
            client.request(id -> durable(id, ConsumerRole.DURABLE, "t", selector));
        }

        // when
        try (Broker again = start();
                TestClient client = new TestClient(again.address())) {
            client.greet("c");
            client.request(id -> new BeginSession(id, 1, false));

            // then
            client.request(id -> durable(id, ConsumerRole.DURABLE, "t", selector));
        }
    }
}
