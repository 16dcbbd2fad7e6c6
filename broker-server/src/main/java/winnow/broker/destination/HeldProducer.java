package winnow.broker.destination;

import java.time.Instant;
import winnow.broker.metrics.BlockReason;

/// A producer that gets no credit, for people.
///
/// @param connection number in hexadecimal digits, as in the log
/// @param client identifier that the client gave, empty if it gave none
/// @param user empty if clients need no credentials
/// @param address where the client is, without its port
/// @param limit what holds it back
/// @param since when its credit was held back
public record HeldProducer(
        String connection,
        String client,
        String user,
        String address,
        BlockReason limit,
        Instant since) {}
