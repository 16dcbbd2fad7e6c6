package winnow.broker.storage;

import winnow.broker.shard.LargeBodies;
import winnow.broker.shard.LargeBody;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredConsumer;

/// The body of one message on its way to its consumer: part after part is read when the connection
/// has taken those before, so that a client that does not read costs the memory of one or two.
/// Owned by the shard's thread.
final class PartStream implements LargeBodies.PartReceiver {
    private final Shard shard;
    private final StoredConsumer consumer;
    private final long sequence;
    private final LargeBody body;
    private final Flight flight;
    private final Receiver receiver;
    private int next;
    private boolean reading;
    private boolean stopped;

    /// Where the parts go.
    interface Receiver {
        void onPart(byte[] part);

        /// All parts have gone to it.
        void onComplete();

        /// The rest does not come.
        void onCut();
    }

    /// @param flight of the connection
    PartStream(
            Shard shard,
            StoredConsumer consumer,
            long sequence,
            LargeBody body,
            Flight flight,
            Receiver receiver) {
        this.shard = shard;
        this.consumer = consumer;
        this.sequence = sequence;
        this.body = body;
        this.flight = flight;
        this.receiver = receiver;
    }

    /// Reads the next part, if there is room for it.
    void proceed() {
        if (stopped || reading) {
            return;
        }
        if (next == body.parts()) {
            stopped = true;
            receiver.onComplete();
        } else if (flight.reserve(this)) {
            reading = true;
            shard.bodies().read(consumer, sequence, body, next, this);
        }
    }

    @Override
    public void onPart(byte[] part) {
        reading = false;
        if (stopped) {
            flight.release(shard);
            return;
        }
        next++;
        flight.onRead(part.length);
        receiver.onPart(part);
        proceed();
    }

    @Override
    public void onGone() {
        reading = false;
        flight.release(shard);
        if (!stopped) {
            stopped = true;
            receiver.onCut();
        }
    }

    /// Nobody wants the rest.
    void stop() {
        stopped = true;
    }
}
