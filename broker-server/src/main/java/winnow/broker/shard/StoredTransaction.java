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
        final int maxNameId;

        Sent(StoredDestination destination, byte[] block, Recipients recipients, int maxNameId) {
            this.destination = destination;
            this.block = block;
            this.recipients = recipients;
            this.maxNameId = maxNameId;
        }
    }

    /// A message that is to be acknowledged.
    record Received(StoredConsumer consumer, long sequence) {}

    /// @param block an own copy of the message block, which has been parsed without a fault
    /// @param maxNameId largest number that it uses for the name of a property, 0 if it uses none
    public void send(
            StoredDestination destination, byte[] block, Recipients recipients, int maxNameId) {
        sent.add(new Sent(destination, block, recipients, maxNameId));
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
