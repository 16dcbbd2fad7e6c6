package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.admin.NoCluster;
import winnow.broker.config.SettingSources;
import winnow.broker.metrics.WaitTimes;
import winnow.broker.storage.LogSource;
import winnow.cluster.ClusterStatus;
import winnow.cluster.LeaderAddress;
import winnow.wire.BodyType;
import winnow.wire.ClientInstance;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.FrameType;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Resumption;
import winnow.wire.Source;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.Publish;
import winnow.wire.frame.PublishInParts;
import winnow.wire.frame.PublishPart;

/// Clients that come back after their connection was lost, frame by frame, for tests to extend.
abstract class ReturningRig {
    static final long CAPABILITIES =
            Protocol.STORED | Protocol.PARTS | Protocol.RECALL | Protocol.RESUME;

    @TempDir Path data;
    Broker broker;
    private final List<TestClient> clients = new ArrayList<>();
    final ClientInstance instance = ClientInstance.create();

    private static Broker made(String... settings) throws IOException {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return new Broker(BrokerConfig.of(all), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @BeforeEach
    void start() throws IOException {
        broker = made();
    }

    /// A broker with other settings.
    void startWith(String... settings) throws IOException {
        broker.close();
        broker = made(settings);
    }

    void startStored() throws IOException {
        startWith("storage.directory", data.resolve("store").toString());
    }

    /// A broker that leads its cluster.
    ///
    /// @param log that of the cluster
    void startLeading(LogSource log) throws IOException {
        broker.close();
        ClusterStatus status =
                new ClusterStatus(
                        "a",
                        ClusterStatus.Role.LEADER,
                        "a",
                        new LeaderAddress("127.0.0.1:1", ""),
                        1,
                        1,
                        1,
                        Map.of(),
                        Map.of(),
                        0);
        broker =
                new Broker(
                        BrokerConfig.DEFAULTS,
                        InetAddress.getLoopbackAddress(),
                        0,
                        0,
                        () -> new SettingSources(BrokerConfig.DEFAULTS),
                        new ClusterPart(
                                true, log, () -> status, new WaitTimes(), new NoCluster(), null));
    }

    @AfterEach
    void stop() throws IOException {
        for (TestClient client : clients) {
            client.close();
        }
        broker.close();
    }

    TestClient client() throws IOException {
        TestClient made = new TestClient(broker.address());
        clients.add(made);
        return made;
    }

    ControlFrame.Hello hello(ClientInstance said, String clientId, int attempt, long lastNumber) {
        return new ControlFrame.Hello(
                CAPABILITIES,
                clientId,
                "ANONYMOUS",
                "",
                0,
                "test",
                new Resumption(said, attempt, lastNumber));
    }

    /// A connection of a client, and what it was told.
    record Returned(TestClient client, ControlFrame.Welcome welcome) {
        long id() {
            return welcome.connectionId();
        }
    }

    Returned connect(ClientInstance said, String clientId, int attempt, long lastNumber)
            throws IOException {
        TestClient client = client();
        client.hello(hello(said, clientId, attempt, lastNumber));
        return new Returned(client, client.expect(ControlFrame.Welcome.class));
    }

    Returned connect(int attempt, long lastNumber) throws IOException {
        return connect(instance, "", attempt, lastNumber);
    }

    static void consume(TestClient client, DestinationKind kind, String name) throws IOException {
        client.request(id -> new BeginSession(id, 1, false));
        Source source = new Source(kind, name, "", "");
        client.request(
                id -> new Consume(id, 1, 1, ConsumerRole.QUEUE, source, "", false, 100, 1 << 20));
    }

    /// All that waits in a queue.
    List<String> drain(String queue) throws IOException {
        TestClient consumer = client();
        consumer.greet();
        consume(consumer, DestinationKind.QUEUE, queue);
        consumer.openOnce(DestinationKind.QUEUE, queue, 1);
        consumer.awaitProducerCredit(1);
        publishAgain(consumer, 1, 0, "end");
        List<String> bodies = new ArrayList<>();
        long last = 0;
        while (!bodies.contains("end")) {
            TestClient.Stored one = consumer.take(TestClient.Stored.class);
            bodies.add(one.body());
            last = one.delivery();
        }
        bodies.remove("end");
        long all = last;
        consumer.request(id -> new Acknowledge(id, 1, upTo(all)));
        consumer.close();
        return bodies;
    }

    static DeliveryRanges upTo(long last) {
        long[] ids = new long[(int) last];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i + 1L;
        }
        return DeliveryRanges.of(ids);
    }

    /// A persistent message that is to be confirmed.
    ///
    /// @param number that it had before, 0 if it is new
    static void publishAgain(TestClient client, int handle, long number, String body)
            throws IOException {
        client.awaitProducerCredit(1);
        WireWriter out = new WireWriter(64);
        int mark = out.beginFrame(FrameType.PUBLISH);
        out.writeVarint(handle);
        Publish.writeFlags(out, Publish.CONFIRM, number, 0);
        int text = BodyType.TEXT.number() << MessageBlock.BODY_TYPE_SHIFT;
        out.writeByte(text | MessageBlock.PERSISTENT);
        out.writeByte(0);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        out.writeRaw(bytes, 0, bytes.length);
        out.endFrame(mark);
        client.raw(out.toByteArray());
    }

    /// Begins a message in parts, by handle 1, that is to be confirmed.
    ///
    /// @param number that it had before, 0 if it is new
    static void beginInParts(TestClient client, long number) throws IOException {
        WireWriter out = new WireWriter(64);
        int mark = PublishInParts.begin(out, 1, Publish.CONFIRM, number, 0, 10);
        out.writeRaw(new byte[] {1, 0}, 0, 2);
        out.endFrame(mark);
        client.raw(out.toByteArray());
    }

    /// Sends the one part of the message that was begun.
    static void endInParts(TestClient client) throws IOException {
        WireWriter out = new WireWriter(64);
        PublishPart.write(out, 1, new byte[10], 10);
        client.raw(out.toByteArray());
    }

    static void awaitPublished(TestClient client, long count) throws IOException {
        long published = 0;
        while (published < count) {
            published = client.take(ControlFrame.Published.class).count();
        }
        assertThat(published).isEqualTo(count);
    }
}
