package winnow.client.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import winnow.wire.DeliveryRanges;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;

/// Acknowledgements that nobody waits for, gathered until something is written, so that those of a
/// session share one frame. Not thread-safe: guarded by the lock of [SendBuffer]. Bounded by the
/// credit of the sessions' consumers.
final class PendingAcknowledgements {
    /// Ids of one frame, which is no longer than any broker accepts: 5 bytes each at most, but for
    /// the first.
    private static final int MAX_FRAME_IDS = 1000;

    /// Request id of a frame that is not answered.
    private static final int NO_ANSWER = 0;

    /// The sessions that have something to acknowledge.
    private final List<Gathered> sessions = new ArrayList<>();

    /// Of the session that acknowledged last.
    private Gathered last = new Gathered(0);

    void add(int session, long delivery) {
        if (last.session != session) {
            last = of(session);
        }
        if (last.size == 0) {
            sessions.add(last);
        }
        last.add(delivery);
    }

    private Gathered of(int session) {
        for (Gathered gathered : sessions) {
            if (gathered.session == session) {
                return gathered;
            }
        }
        return new Gathered(session);
    }

    /// Writes Acknowledge frames, as few as possible, if there is anything to acknowledge, and
    /// forgets it.
    void writeTo(WireWriter out) {
        if (sessions.isEmpty()) {
            return;
        }
        int begin = out.size();
        boolean whole = false;
        try {
            for (Gathered gathered : sessions) {
                gathered.writeTo(out);
            }
            whole = true;
        } finally {
            if (!whole) {
                out.truncate(begin);
            }
        }
        sessions.forEach(gathered -> gathered.size = 0);
        sessions.clear();
    }

    /// Acknowledgements of one session.
    private static final class Gathered {
        private final int session;
        private long[] ids = new long[16];
        private int size;

        Gathered(int session) {
            this.session = session;
        }

        void add(long delivery) {
            if (size == ids.length) {
                ids = Arrays.copyOf(ids, size * 2);
            }
            ids[size++] = delivery;
        }

        void writeTo(WireWriter out) {
            Arrays.sort(ids, 0, size);
            for (int from = 0; from < size; from += MAX_FRAME_IDS) {
                int to = Math.min(size, from + MAX_FRAME_IDS);
                DeliveryRanges ranges = DeliveryRanges.of(Arrays.copyOfRange(ids, from, to));
                new Acknowledge(NO_ANSWER, session, ranges).write(out);
            }
        }
    }
}
