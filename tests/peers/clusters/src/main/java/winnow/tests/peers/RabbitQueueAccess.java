package winnow.tests.peers;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import winnow.tests.queues.QueueAccess;

/// A quorum queue with three members.
public final class RabbitQueueAccess implements QueueAccess {
    private static final String NAME = "confirmed";
    private static final int PREFETCH = 1000;
    private static final long CONFIRM_MILLIS = 60_000;

    private final Address[] addresses;
    private final ConnectionFactory factory = new ConnectionFactory();
    private final List<Connection> connections = new ArrayList<>();

    /// @param addresses host and port of each node, with commas between
    public RabbitQueueAccess(String addresses) throws Exception {
        this.addresses = Address.parseAddresses(addresses);
        connect()
                .queueDeclare(
                        NAME,
                        true,
                        false,
                        false,
                        Map.of("x-queue-type", "quorum", "x-quorum-initial-group-size", 3));
    }

    private Channel connect() throws Exception {
        var connection = factory.newConnection(addresses);
        connections.add(connection);
        return connection.createChannel();
    }

    @Override
    public ConfirmedSender sender() throws Exception {
        var channel = connect();
        channel.confirmSelect();
        return body -> {
            channel.basicPublish("", NAME, MessageProperties.PERSISTENT_BASIC, body);
            channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
        };
    }

    @Override
    public void consume(Runnable landed) throws Exception {
        var channel = connect();
        channel.basicQos(PREFETCH);
        channel.basicConsume(
                NAME,
                false,
                (_, delivery) -> {
                    channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                    landed.run();
                },
                _ -> {});
    }

    @Override
    public void close() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
    }
}
