package winnow.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;

/// A queue that is far larger than the broker's memory: `-Dwinnow.backlog=N` messages of 1 KiB,
/// which take N KiB of the disk.
@EnabledIfSystemProperty(named = "winnow.backlog", matches = "\\d+")
class BacklogTest {
    private static final int BACKLOG = Integer.getInteger("winnow.backlog", 0);
    private static final int BODY_BYTES = 1024;
    private static final int IN_FLIGHT = 2000;
    private static final int REPORT = 200_000;
    private static final long WAIT_MILLIS = 20_000;
    private static final List<String> OPTIONS = List.of("-Xmx128m");

    /// Native memory as it is set, beside the heap, and the virtual machine itself.
    private static final List<String> SETTINGS =
            List.of("storage.write-buffer=64MiB", "storage.block-cache=32MiB");

    private static final long MAX_RESIDENT_BYTES = 700L << 20;

    @TempDir private Path temporary = Path.of("");

    @Test
    void shouldDrainABacklogLargerThanItsMemory() throws Exception {
        // given
        Path data = temporary.resolve("data");
        try (BrokerProcess broker = BrokerProcess.start(data, OPTIONS, SETTINGS)) {
            fill(broker);
            assertThat(broker.residentBytes()).isLessThan(MAX_RESIDENT_BYTES);
            assertThat(broker.stop()).isZero();
        }

        // when
        long begin = System.nanoTime();
        try (BrokerProcess broker = BrokerProcess.start(data, OPTIONS, SETTINGS)) {
            System.out.printf("backlog: started in %.1f s%n", (System.nanoTime() - begin) / 1e9);

            // then
            drain(broker);
            assertThat(broker.residentBytes()).isLessThan(MAX_RESIDENT_BYTES);
            assertThat(broker.stop()).isZero();
            assertThat(broker.log()).doesNotContain("OutOfMemoryError");
        }
    }

    /// Reports how far it is.
    private static void report(BrokerProcess broker, String what, long done, long beginNanos)
            throws IOException {
        if (done % REPORT == 0) {
            System.out.printf(
                    "backlog: %s %d, %.0f/s, resident %d MiB%n",
                    what,
                    done,
                    done / ((System.nanoTime() - beginNanos) / 1e9),
                    broker.residentBytes() >> 20);
        }
    }

    private static void fill(BrokerProcess broker) throws Exception {
        Semaphore flight = new Semaphore(IN_FLIGHT);
        AtomicLong confirmed = new AtomicLong();
        CompletionListener counting =
                new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        confirmed.incrementAndGet();
                        flight.release();
                    }

                    @Override
                    public void onException(Message message, Exception failure) {
                        System.out.println(failure);
                        flight.release();
                    }
                };
        byte[] body = new byte[BODY_BYTES];
        long begin = System.nanoTime();
        try (Connection connection = new WinnowConnectionFactory(broker.url()).createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            for (int i = 1; i <= BACKLOG; i++) {
                BytesMessage message = session.createBytesMessage();
                message.setIntProperty("number", i);
                message.writeBytes(body);
                flight.acquire();
                producer.send(message, counting);
                report(broker, "sent", i, begin);
            }
            flight.acquire(IN_FLIGHT);
        }
        assertThat(confirmed).hasValue(BACKLOG);
    }

    private static void drain(BrokerProcess broker) throws JMSException, IOException {
        long begin = System.nanoTime();
        try (Connection connection = new WinnowConnectionFactory(broker.url()).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            for (int i = 1; i <= BACKLOG; i++) {
                Message message = consumer.receive(WAIT_MILLIS);
                assertThat(message).as("message %s", i).isNotNull();
                assertThat(message.getIntProperty("number")).isEqualTo(i);
                report(broker, "received", i, begin);
            }
            assertThat(consumer.receive(1)).isNull();
        }
    }
}
