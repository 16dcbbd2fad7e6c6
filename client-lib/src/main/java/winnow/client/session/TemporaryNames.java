package winnow.client.session;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTemporaryQueue;
import winnow.client.destination.WinnowTemporaryTopic;
import winnow.client.link.Current;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.DeleteTemporary;

/// The temporary destinations of one connection. The broker keeps them; here are their names.
/// Thread-safe.
final class TemporaryNames {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final WinnowConnection connection;
    private final AtomicInteger count = new AtomicInteger();

    /// A part of the names that nobody can guess: only who is told a name can send there.
    private final String secret = "%016x".formatted(RANDOM.nextLong());

    TemporaryNames(WinnowConnection connection) {
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
        connection.use();
        // One number: what a lost connection has made is not made twice.
        long number = count.incrementAndGet();
        return connection
                .link()
                .call(now -> {
                    String name = prefix(now) + secret + "-" + number;
                    now.wire().ask(request -> new CreateTemporary(request, kind, name));
                    return name;
                });
    }

    private void delete(WinnowDestination destination) throws JMSException {
        connection.remove(
                request -> new DeleteTemporary(request, destination.kind(), destination.name()),
                ErrorCode.INVALID_DESTINATION);
    }

    private static String prefix(Current now) {
        return Protocol.TEMPORARY_PREFIX + HexFormat.of().toHexDigits(now.wire().id()) + "/";
    }

    private static boolean isOwn(WinnowDestination destination, Current now) {
        return !isTemporary(destination) || destination.name().startsWith(prefix(now));
    }

    /// @param next the connection after one that was lost
    /// @throws TransportException if it is a temporary destination that has ended with that one
    void requireKept(WinnowDestination destination, Current next) throws TransportException {
        if (!isOwn(destination, next)) {
            throw new TransportException(
                    ErrorCode.INVALID_DESTINATION,
                    "the temporary destination has ended: the broker did not keep it while the"
                            + " client was away (setting session.resume-timeout), or was started"
                            + " again");
        }
    }

    static boolean isTemporary(WinnowDestination destination) {
        return destination.name().startsWith(Protocol.TEMPORARY_PREFIX);
    }

    /// @throws InvalidDestinationException if it is a temporary destination of another connection,
    ///   which only that one may consume from
    void requireOwn(WinnowDestination destination) throws InvalidDestinationException {
        if (!isOwn(destination, connection.link().now())) {
            throw new InvalidDestinationException(
                    "expected a temporary destination of this connection, found one of another, or"
                            + " one that has ended with a lost connection: "
                            + destination);
        }
    }
}
