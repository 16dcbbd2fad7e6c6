package winnow.client.transport;

import java.util.Arrays;
import winnow.wire.FrameType;
import winnow.wire.WireWriter;

/// Consumer credit that waits to be sent, so that many grants share one frame. Not thread-safe:
/// guarded by the lock of [Output].
final class CreditGrants {
    private static final int FIELDS = 3;

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

    /// Writes one ConsumerCredit frame, if there is anything to grant, and forgets it.
    void writeTo(WireWriter out) {
        if (size == 0) {
            return;
        }
        int begin = out.size();
        boolean whole = false;
        try {
            out.beginFrame(FrameType.CONSUMER_CREDIT);
            for (int i = 0; i < size; i++) {
                out.writeVarint(fields[i]);
            }
            out.endFrame(begin);
            whole = true;
        } finally {
            if (!whole) {
                out.truncate(begin);
            }
        }
        size = 0;
    }
}
