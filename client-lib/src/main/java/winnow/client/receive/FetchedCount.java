package winnow.client.receive;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The messages that have come to a [ConsumerBuffer], that its thread of control has fetched and
/// nobody has received; or less: what is put back is not counted, but counts when it leaves, and
/// what has gone back to the broker is not counted any more. Thread-safe.
final class FetchedCount {
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    int messages() {
        return Math.max(0, messages.get());
    }

    long bytes() {
        return Math.max(0, bytes.get());
    }

    void add(int moreMessages, long moreBytes) {
        messages.addAndGet(moreMessages);
        bytes.addAndGet(moreBytes);
    }

    void forget() {
        messages.set(0);
        bytes.set(0);
    }
}
