package winnow.tests.peers;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import winnow.tests.queues.QueueAccess;

/// A JetStream stream with three replicas, in which a message is until it is acknowledged.
public final class NatsQueueAccess implements QueueAccess {
    private static final String NAME = "confirmed";
    private static final int UNACKNOWLEDGED = 1000;

    private final Options options;
    private final List<Connection> connections = new ArrayList<>();

    /// @param urls of the servers, with commas between
    public NatsQueueAccess(String urls) throws Exception {
        options =
                new Options.Builder()
                        .servers(urls.split(","))
                        .connectionTimeout(Duration.ofSeconds(10))
                        .build();
        var management = connect().jetStreamManagement();
        if (!management.getStreamNames().contains(NAME)) {
            management.addStream(
                    StreamConfiguration.builder()
                            .name(NAME)
                            .subjects(NAME)
                            .retentionPolicy(RetentionPolicy.WorkQueue)
                            .storageType(StorageType.File)
                            .replicas(3)
                            .build());
        }
    }

    private Connection connect() throws Exception {
        var connection = Nats.connect(options);
        connections.add(connection);
        return connection;
    }

    @Override
    public ConfirmedSender sender() throws Exception {
        JetStream stream = connect().jetStream();
        return body -> stream.publish(NAME, body);
    }

    @Override
    public void consume(Runnable landed) throws Exception {
        var connection = connect();
        var consumer =
                ConsumerConfiguration.builder()
                        .durable(NAME)
                        .ackPolicy(AckPolicy.Explicit)
                        .maxAckPending(UNACKNOWLEDGED)
                        .build();
        connection
                .jetStream()
                .subscribe(
                        NAME,
                        connection.createDispatcher(),
                        message -> {
                            message.ack();
                            landed.run();
                        },
                        false,
                        PushSubscribeOptions.builder().configuration(consumer).build());
    }

    @Override
    public void close() throws IOException {
        try {
            for (var connection : connections) {
                connection.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
