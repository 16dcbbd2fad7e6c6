package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;

/// The messages and acknowledgements of a local transaction: they take effect together or not at
/// all (Jakarta Messaging 3.1, 6.2.7). Owned by its shard.
public final class StoredTransaction {
    final List<Sent> sent = new ArrayList<>();
    final List<Received> received = new ArrayList<>();
    private long bytes;

    /// A message that is to be sent.
    static final class Sent {
        final StoredDestination destination;
        final byte[] block;
        final Recipients recipients;

        Sent(StoredDestination destination, byte[] block, Recipients recipients) {
            this.destination = destination;
            this.block = block;
            this.recipients = recipients;
        }
    }

    /// A message that is to be acknowledged.
    record Received(StoredConsumer consumer, long sequence) {}

    /// @param block an own copy of the message block, which has been parsed without a fault
    public void send(StoredDestination destination, byte[] block, Recipients recipients) {
        sent.add(new Sent(destination, block, recipients));
        bytes += block.length;
    }

    public void acknowledge(StoredConsumer consumer, long sequence) {
        received.add(new Received(consumer, sequence));
    }

    /// Bytes of the messages that it sends.
    public long bytes() {
        return bytes;
    }
}
