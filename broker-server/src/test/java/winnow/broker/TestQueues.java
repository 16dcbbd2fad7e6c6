package winnow.broker;

import java.io.IOException;
import java.util.List;
import winnow.wire.BranchEnd;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;

/// A client with a session, for tests of what operators see of queues and subscriptions.
public final class TestQueues implements AutoCloseable {
    private final TestClient client;

    public TestQueues(Broker broker, String clientId) throws IOException {
        client = new TestClient(broker.address());
        client.greet(clientId);
        client.request(id -> new BeginSession(id, 1, false));
    }

    /// Sends a persistent message, and waits until the broker has taken it.
    public void send(String queue, String body) throws IOException {
        client.send(DestinationKind.QUEUE, queue, 1, body);
    }

    /// A durable subscription with a consumer.
    public void subscribe(String topic, String name, String selector) throws IOException {
        Source source = new Source(DestinationKind.TOPIC, topic, selector, "");
        client.request(id ->
                new Consume(id, 1, 1, ConsumerRole.DURABLE, source, name, false, 100, 1 << 20));
    }

    /// Takes the first message of a queue and does not acknowledge it.
    public void take(String queue) throws IOException {
        Source source = new Source(DestinationKind.QUEUE, queue, "", "");
        client.request(
                id -> new Consume(id, 1, 1, ConsumerRole.QUEUE, source, "", false, 1, 1 << 20));
        client.await(TestClient.Stored.class);
    }

    /// Prepares a transaction that sends a message.
    public void prepare(Xid xid, String queue, String body) throws IOException {
        client.request(id -> new BeginSession(id, 2, true));
        client.sendTransacted(2, DestinationKind.QUEUE, queue, 2, body);
        client.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid, 2, List.of()));
        client.request(id -> new EndSession(id, 2, DeliveryRanges.NONE));
    }

    /// Ends the consumer; the subscription stays.
    public void endConsumer() throws IOException {
        client.request(id -> new EndConsumer(id, 1, DeliveryRanges.NONE));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
