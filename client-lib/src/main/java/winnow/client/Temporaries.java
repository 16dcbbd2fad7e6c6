package winnow.client;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTemporaryQueue;
import winnow.client.destination.WinnowTemporaryTopic;
import winnow.wire.CreateTemporary;
import winnow.wire.DeleteTemporary;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// The temporary destinations of one connection. The broker keeps them; here are their names.
/// Thread-safe.
final class Temporaries {
    private final WinnowConnection connection;
    private final AtomicInteger count = new AtomicInteger();

    Temporaries(WinnowConnection connection) {
        this.connection = connection;
    }

    /// Makes a queue that ends with the connection.
    ///
    /// @throws JMSException if the broker refuses
    WinnowTemporaryQueue newQueue() throws JMSException {
        return new WinnowTemporaryQueue(create(DestinationKind.QUEUE), this::delete);
    }

    /// Makes a topic that ends with the connection.
    ///
    /// @throws JMSException if the broker refuses
    WinnowTemporaryTopic newTopic() throws JMSException {
        return new WinnowTemporaryTopic(create(DestinationKind.TOPIC), this::delete);
    }

    private String create(DestinationKind kind) throws JMSException {
        String name = ownPrefix() + count.incrementAndGet();
        connection.ask(request -> new CreateTemporary(request, kind, name));
        return name;
    }

    private void delete(WinnowDestination destination) throws JMSException {
        connection.ask(
                request -> new DeleteTemporary(request, destination.kind(), destination.name()));
    }

    private String ownPrefix() {
        return Protocol.TEMPORARY_PREFIX
                + HexFormat.of().toHexDigits(connection.link().wire().id())
                + "/";
    }

    static boolean isTemporary(WinnowDestination destination) {
        return destination.name().startsWith(Protocol.TEMPORARY_PREFIX);
    }

    /// @throws InvalidDestinationException if it is a temporary destination of another connection,
    ///   which only that one may consume from
    void requireOwn(WinnowDestination destination) throws InvalidDestinationException {
        if (isTemporary(destination) && !destination.name().startsWith(ownPrefix())) {
            throw new InvalidDestinationException(
                    "expected a temporary destination of this connection, found one of another: "
                            + destination);
        }
    }
}
