package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;

/// A message may be longer than the broker's heap.
class SmallHeapTest {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int BODY_BYTES = 96 << 20;

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldPassAMessageThatIsLongerThanTheHeap() throws Exception {
        try (BrokerProcess broker =
                        BrokerProcess.start(
                                temporary.resolve("data"),
                                List.of("-Xmx64m"),
                                List.of("storage.write-buffer=32MiB", "storage.block-cache=8MiB"));
                Connection connection =
                        new WinnowConnectionFactory(broker.url()).createConnection()) {
            // given
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("large");
            BytesMessage message = session.createBytesMessage();
            long sent = write(message);

            // when
            session.createProducer(queue).send(message);
            BytesMessage received = (BytesMessage) session.createConsumer(queue).receive(60_000);

            // then
            assertThat(received).isNotNull();
            assertThat(received.getBodyLength()).isEqualTo(BODY_BYTES);
            assertThat(read(received)).isEqualTo(sent);
            assertThat(broker.isAlive()).isTrue();
        }
    }

    private static long write(BytesMessage message) throws JMSException {
        CRC32C checksum = new CRC32C();
        byte[] chunk = new byte[CHUNK_BYTES];
        Random random = new Random(1);
        for (int written = 0; written < BODY_BYTES; written += chunk.length) {
            random.nextBytes(chunk);
            checksum.update(chunk);
            message.writeBytes(chunk);
        }
        return checksum.getValue();
    }

    private static long read(BytesMessage message) throws JMSException {
        CRC32C checksum = new CRC32C();
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int size = message.readBytes(chunk); size > 0; size = message.readBytes(chunk)) {
            checksum.update(chunk, 0, size);
        }
        return checksum.getValue();
    }
}
