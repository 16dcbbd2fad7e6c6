package winnow.client.transport;

import java.util.Arrays;
import winnow.wire.FrameType;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;

/// Consumer credit that waits to be sent, so that many grants share one frame. Not thread-safe:
/// guarded by the lock of [SendBuffer].
final class CreditGrants {
    private static final int FIELDS = 3;

    /// Fields of one frame, which is no longer than any broker accepts: 5 bytes each.
    private static final int MAX_FRAME_FIELDS =
            (Protocol.MAX_HANDSHAKE_FRAME_BYTES - 1) / (FIELDS * 5) * FIELDS;

    /// Subscription id, messages and bytes of each grant in a row.
    private int[] fields = new int[FIELDS * 4];

    private int size;

    void add(int subscriptionId, int messages, int bytes) {
        if (size == fields.length) {
            fields = Arrays.copyOf(fields, size * 2);
        }
        fields[size] = subscriptionId;
        fields[size + 1] = messages;
        fields[size + 2] = bytes;
        size += FIELDS;
    }

    /// Writes ConsumerCredit frames, as few as possible, if there is anything to grant, and forgets
    /// it.
    void writeTo(WireWriter out) {
        int begin = out.size();
        boolean whole = false;
        try {
            for (int from = 0; from < size; from += MAX_FRAME_FIELDS) {
                writeFrame(out, from, Math.min(size, from + MAX_FRAME_FIELDS));
            }
            whole = true;
        } finally {
            if (!whole) {
                out.truncate(begin);
            }
        }
        size = 0;
    }

    private void writeFrame(WireWriter out, int from, int to) {
        int begin = out.beginFrame(FrameType.CONSUMER_CREDIT);
        for (int i = from; i < to; i++) {
            out.writeVarint(fields[i]);
        }
        out.endFrame(begin);
    }
}
