package winnow.client.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import winnow.client.destination.WinnowTopic;
import winnow.wire.WireWriter;

/// Correlation IDs as strings and as bytes (Jakarta Messaging 3.1, 3.4.5).
class CorrelationIdTest {
    private final NameTable names = new NameTable();

    private WinnowMessage received(WinnowMessage message) throws JMSException {
        message.prepare(names);
        WireWriter out = new WireWriter(16);
        message.writeBlock(out);
        MessageOrigin origin =
                new MessageOrigin(WinnowTopic.parse("t"), names, () -> {}, AllowedClasses.NONE);
        return ReceivedMessages.of(out.toByteArray(), origin, 99, 1);
    }

    /// 24 bytes of another provider are no text.
    @Test
    void shouldCarryCorrelationIdsOfAnyBytes() throws Exception {
        // given
        byte[] id = HexFormat.of().parseHex("414d5120514d31202020c3a4ff80eda0805f2e65f0");
        WinnowMessage request = new WinnowMessage();
        request.setJMSCorrelationIDAsBytes(id);

        // when
        WinnowMessage read = received(request);
        WinnowMessage reply = new WinnowMessage();
        reply.setJMSCorrelationID(read.getJMSCorrelationID());

        // then
        assertThat(read.getJMSCorrelationIDAsBytes()).isEqualTo(id);
        assertThat(read.getJMSCorrelationID()).startsWith("AMQ QM1   ä");
        assertThat(received(reply).getJMSCorrelationIDAsBytes()).isEqualTo(id);
    }

    @Test
    void shouldReadCorrelationIdBytesThatAreTextAsText() throws Exception {
        // given
        WinnowMessage message = new WinnowMessage();

        // when
        message.setJMSCorrelationIDAsBytes("#7 ä\uD83D\uDE00\uFFFD".getBytes(UTF_8));

        // then
        assertThat(message.getJMSCorrelationID()).isEqualTo("#7 ä\uD83D\uDE00\uFFFD");
        assertThat(received(message).getJMSCorrelationID()).isEqualTo("#7 ä\uD83D\uDE00\uFFFD");
    }
}
