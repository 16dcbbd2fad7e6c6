package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.Recover;

/// Reads in the log what operators have changed and what went to the dead-letter queue.
class OperatorLogTest {
    private static final DestinationKind QUEUE = DestinationKind.QUEUE;

    private final Logger logger = (Logger) LoggerFactory.getLogger("winnow.broker");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Broker broker;
    private TestQueues queues;

    @BeforeEach
    void start() throws IOException {
        broker =
                new Broker(
                        BrokerConfig.of(Map.of("queue.max-deliveries", "1")),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0);
        queues = new TestQueues(broker, "anna");
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws IOException {
        logger.detachAppender(log);
        queues.close();
        broker.close();
    }

    private List<String> lines(String ofLogger) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLoggerName().endsWith(ofLogger))
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void shouldTellWhichLimitIsAboveTheHeap() throws IOException {
        // when
        BrokerConfig config = BrokerConfig.of(Map.of("storage.memory", "1024g"));
        new Broker(config, InetAddress.getLoopbackAddress(), 0, 0).close();

        // then
        assertThat(lines("SettingWarnings"))
                .filteredOn(line -> line.startsWith("WARN The limit of "))
                .singleElement()
                .asString()
                .contains("storage.memory is 1099511627776 bytes");
    }

    @Test
    void shouldTellWhatOperatorsChange() throws IOException {
        // given
        queues.send("q", "one");
        queues.send("q", "two");
        queues.subscribe("t", "audit", "");
        queues.endConsumer();
        Xid xid = new Xid(1, new byte[] {2}, new byte[] {3});
        queues.prepare(xid, "q", "three");

        // when
        String selector = URLEncoder.encode("color IS NOT NULL", StandardCharsets.UTF_8);
        BrokerPages.delete(broker, "/api/v1/queues/q/messages?selector=" + selector);
        BrokerPages.post(broker, "/api/v1/queues/q/move?to=r");
        BrokerPages.delete(broker, "/api/v1/queues/r");
        String audit = BrokerPages.get(broker, "/api/v1/subscriptions").body();
        String id = audit.replaceFirst("(?s).*\"id\":(\\d+).*", "$1");
        BrokerPages.delete(broker, "/api/v1/subscriptions/" + id);
        BrokerPages.delete(broker, "/api/v1/queues/none");
        BrokerPages.post(broker, "/api/v1/transactions/" + xid + "/commit");
        BrokerPages.get(broker, "/api/v1/queues/q/messages");
        BrokerPages.post(broker, "/api/v1/reload");

        // then
        String who = "INFO Somebody at 127.0.0.1 ";
        assertThat(lines("Operator"))
                .contains(
                        who + "removed 0 messages of queue q, selector: color IS NOT NULL",
                        who + "moved 2 messages of queue q to queue r",
                        who + "removed queue r with 2 messages",
                        who + "decided prepared transaction " + xid + ": commit",
                        who + "asks for a reload")
                .anyMatch(line -> line.contains("removed subscription anna.audit of topic t"))
                .hasSize(6);
    }

    @Test
    void shouldTellWhichMessageIsDead() throws IOException {
        // given
        try (TestClient client = new TestClient(broker.address())) {
            client.greet("bert");
            client.request(id -> new BeginSession(id, 1, false));
            client.send(QUEUE, "q", 1, "poison");
            Source source = new Source(QUEUE, "q", "", "");
            client.request(id ->
                    new Consume(id, 1, 1, ConsumerRole.QUEUE, source, "", false, 100, 1 << 20));
            client.await(TestClient.Stored.class);

            // when
            client.request(id -> new Recover(id, 1, DeliveryRanges.of(1)));
            client.request(id -> new EndConsumer(id, 1, DeliveryRanges.NONE));
            BrokerPages.awaitMetric(broker, "winnow_dead_letters", 1);
        }

        // then
        assertThat(lines("Graves"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WARN Message ")
                .endsWith(" of queue q went to queue winnow.dead: 1 failed deliveries");
    }
}
