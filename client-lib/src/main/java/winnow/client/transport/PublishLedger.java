package winnow.client.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// Confirmed publishes that the broker has not answered, in the order in which they were sent. Not
/// thread-safe: guarded by the lock of [SendBuffer]. Bounded by the producer credit.
final class PublishLedger {
    /// A ring; the publish numbered `n` lies at `n` modulo the length, which is a power of two.
    private @Nullable PublishReply[] ring = new @Nullable PublishReply[16];

    /// Number of the last one on the connection before.
    private long lastBefore;

    private long sent;
    private long answered;

    /// The connection begins.
    ///
    /// @param last number of the last one on the connection before
    void begin(long last) {
        sent = last;
        answered = last;
        lastBefore = last;
    }

    /// Adds the next one.
    ///
    /// @return its number
    long add(PublishReply confirmation) {
        add(confirmation, Math.max(sent, lastBefore) + 1);
        return sent;
    }

    /// Adds one that has its number from a connection before, which is above those of this one.
    void add(PublishReply confirmation, long number) {
        if (isEmpty()) {
            sent = number - 1;
            answered = sent;
        }
        while (sent < number) {
            if (sent - answered == ring.length) {
                grow();
            }
            sent++;
            ring[index(sent)] = sent == number ? confirmation : null;
        }
    }

    /// True if all that were sent are answered.
    boolean isEmpty() {
        return sent == answered;
    }

    private void grow() {
        @Nullable PublishReply[] old = ring;
        ring = new @Nullable PublishReply[old.length * 2];
        for (long number = answered + 1; number <= sent; number++) {
            ring[index(number)] = old[(int) (number & (old.length - 1))];
        }
    }

    private int index(long number) {
        return (int) (number & (ring.length - 1));
    }

    /// Removes and returns those up to the one numbered `count`. Those that were refused say so
    /// when [PublishReply#onPublished] is called.
    ///
    /// @throws WireException if fewer were sent
    List<PublishReply> takeUpTo(long count) {
        if (count < answered || count > sent) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected a publish number of %d to %d, found %d"
                            .formatted(answered, sent, count));
        }
        List<PublishReply> taken = new ArrayList<>((int) (count - answered));
        while (answered < count) {
            answered++;
            PublishReply next = ring[index(answered)];
            ring[index(answered)] = null;
            if (next != null) {
                taken.add(next);
            }
        }
        return taken;
    }

    /// Notes that the one numbered `sequence` was refused. It keeps its place, so that the outcomes
    /// are told in the order of the sends.
    ///
    /// @throws WireException if there is none
    void refuse(long sequence, TransportException reason) {
        PublishReply refused =
                sequence > answered && sequence <= sent ? ring[index(sequence)] : null;
        if (refused == null) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected the number of an unanswered publish, found " + sequence);
        }
        ring[index(sequence)] = new Refused(refused, reason);
    }

    /// Removes and returns all.
    List<UnansweredPublish> takeAll() {
        List<UnansweredPublish> taken = new ArrayList<>((int) (sent - answered));
        while (answered < sent) {
            answered++;
            PublishReply next = ring[index(answered)];
            ring[index(answered)] = null;
            if (next != null) {
                taken.add(new UnansweredPublish(answered, next));
            }
        }
        return taken;
    }

    /// Holds the place of a publish that was refused.
    private record Refused(PublishReply confirmation, TransportException reason)
            implements PublishReply {
        @Override
        public boolean isAwaited() {
            return confirmation.isAwaited();
        }

        @Override
        public void onPublished() {
            confirmation.onRefused(reason);
        }

        @Override
        public void onRefused(TransportException later) {
            confirmation.onRefused(reason);
        }
    }
}
