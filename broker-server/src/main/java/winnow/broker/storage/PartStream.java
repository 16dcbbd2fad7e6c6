package winnow.broker.storage;

import winnow.broker.shard.LargeBodies;
import winnow.broker.shard.Shard;

/// The body of one message on its way to its consumer: part after part is read when the connection
/// has taken those before, so that a client that does not read costs the memory of one or two.
/// Owned by the shard's thread.
public final class PartStream implements LargeBodies.PartReceiver {
    private final Shard shard;
    private final Source source;
    private final int parts;
    private final Flight flight;
    private final Receiver receiver;
    private int next;
    private boolean reading;
    private boolean stopped;

    /// Origin of the parts.
    public interface Source {
        /// Reads a part.
        ///
        /// @param part its number, from 0
        void read(int part, LargeBodies.PartReceiver receiver);
    }

    /// Receiver of the parts.
    public interface Receiver {
        void onPart(byte[] part);

        /// All parts have gone to it.
        void onComplete();

        /// The rest does not come.
        void onCut();
    }

    /// @param parts how many there are
    /// @param flight of the connection
    public PartStream(Shard shard, Source source, int parts, Flight flight, Receiver receiver) {
        this.shard = shard;
        this.source = source;
        this.parts = parts;
        this.flight = flight;
        this.receiver = receiver;
    }

    /// Reads the next part, if there is room for it.
    public void proceed() {
        if (stopped || reading) {
            return;
        }
        if (next == parts) {
            stopped = true;
            receiver.onComplete();
        } else if (flight.reserve(this)) {
            reading = true;
            source.read(next, this);
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
        flight.onRead(part.length, shard);
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
    public void stop() {
        stopped = true;
    }
}
