package winnow.client.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import org.junit.jupiter.api.Test;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// Destinations by their names.
class WinnowDestinationTest {
    private static final String TEMPORARY = Protocol.TEMPORARY_PREFIX + "0123456789abcdef/1";

    /// Frameworks ask for that: they keep no producer for such a destination.
    @Test
    void shouldTellTemporaryDestinationsByTheirNames() throws Exception {
        // when
        Destination queue = WinnowDestination.of(DestinationKind.QUEUE, TEMPORARY);
        Destination topic = WinnowDestination.of(DestinationKind.TOPIC, TEMPORARY);

        // then
        assertThat(queue)
                .isInstanceOf(TemporaryQueue.class)
                .isEqualTo(WinnowQueue.parse(TEMPORARY));
        assertThat(topic)
                .isInstanceOf(TemporaryTopic.class)
                .isEqualTo(WinnowTopic.parse(TEMPORARY));
        assertThatThrownBy(((TemporaryQueue) queue)::delete)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("by the connection that made it");
    }

    @Test
    void shouldNotCallOthersTemporary() {
        assertThat(WinnowDestination.of(DestinationKind.QUEUE, "orders"))
                .isNotInstanceOf(TemporaryQueue.class);
        assertThat(WinnowDestination.of(DestinationKind.TOPIC, "prices"))
                .isNotInstanceOf(TemporaryTopic.class);
    }

    @Test
    void shouldSayThatAQueueHasNoFilter() {
        // given
        Queue foreign = () -> "orders?priority=1";

        // when, then
        assertThatThrownBy(() -> WinnowQueue.parse("orders?correlationId=[#1"))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("found '?' at index 6")
                .hasMessageContaining("?correlationId= is for topics only");
        assertThatThrownBy(() -> WinnowDestination.adopt(foreign))
                .isInstanceOf(InvalidDestinationException.class);
    }
}
