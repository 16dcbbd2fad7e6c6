package winnow.client.transport;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// Confirmed publishes that the broker has not answered, in the order in which they were sent. Not
/// thread-safe: guarded by the lock of [Output]. Bounded by the producer credit.
final class Confirmations {
    private final ArrayDeque<Confirmation> waiting = new ArrayDeque<>();
    private long answered;

    void add(Confirmation confirmation) {
        waiting.add(confirmation);
    }

    /// Removes and returns those up to the one numbered `count`, leaving out the refused ones.
    ///
    /// @throws WireException if fewer were sent
    List<Confirmation> takeUpTo(long count) {
        if (count < answered || count > answered + waiting.size()) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected a publish number of %d to %d, found %d"
                            .formatted(answered, answered + waiting.size(), count));
        }
        List<Confirmation> taken = new ArrayList<>((int) (count - answered));
        while (answered < count) {
            Confirmation next = waiting.remove();
            answered++;
            if (next != Refused.REFUSED) {
                taken.add(next);
            }
        }
        return taken;
    }

    /// Removes and returns the one numbered `sequence`; the count goes on over it.
    ///
    /// @throws WireException if there is none
    Confirmation takeRefused(long sequence) {
        long index = sequence - answered - 1;
        if (index < 0 || index >= waiting.size()) {
            throw new WireException(
                    ErrorCode.MALFORMED_FRAME,
                    "expected the number of an unanswered publish, found " + sequence);
        }
        List<Confirmation> all = new ArrayList<>(waiting);
        Confirmation refused = all.set((int) index, Refused.REFUSED);
        waiting.clear();
        waiting.addAll(all);
        return refused;
    }

    /// Removes and returns all.
    List<Confirmation> takeAll() {
        List<Confirmation> taken = new ArrayList<>(waiting);
        waiting.clear();
        for (Iterator<Confirmation> i = taken.iterator(); i.hasNext(); ) {
            if (i.next() == Refused.REFUSED) {
                i.remove();
            }
        }
        return taken;
    }

    /// Keeps the place of a confirmation that was refused.
    private enum Refused implements Confirmation {
        REFUSED;

        @Override
        public void onPublished() {}

        @Override
        public void onRefused(TransportException reason) {}
    }
}
