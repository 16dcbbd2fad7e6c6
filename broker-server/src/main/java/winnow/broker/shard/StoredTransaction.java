package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        final MessageHeaders headers;

        /// Upload that brought its body, if that is in parts.
        final @Nullable Upload upload;

        Sent(
                StoredDestination destination,
                byte[] block,
                MessageHeaders headers,
                @Nullable Upload upload) {
            this.upload = upload;
            this.destination = destination;
            this.block = block;
            this.headers = headers;
        }
    }

    /// A message that is to be acknowledged.
    record Received(StoredConsumer consumer, long sequence) {}

    /// A message that is sent by the commit.
    ///
    /// @param block its block, which belongs to the shard from now on
    /// @param headers read from it
    public void send(StoredDestination destination, byte[] block, MessageHeaders headers) {
        sent.add(new Sent(destination, block, headers, null));
        bytes += block.length;
    }

    /// A message in parts that is sent by the commit.
    ///
    /// @param head its block up to the body, which belongs to the shard from now on
    /// @param headers read from it
    /// @param upload complete
    void send(StoredDestination destination, byte[] head, MessageHeaders headers, Upload upload) {
        sent.add(new Sent(destination, head, headers, upload));
        bytes += headers.blockBytes();
    }

    /// A message that is acknowledged by the commit.
    ///
    /// @param sequence as it was delivered
    public void acknowledge(StoredConsumer consumer, long sequence) {
        received.add(new Received(consumer, sequence));
    }

    /// Number of messages that it sends and acknowledges.
    public int size() {
        return sent.size() + received.size();
    }

    /// Bytes of the messages that it sends.
    public long bytes() {
        return bytes;
    }
}
