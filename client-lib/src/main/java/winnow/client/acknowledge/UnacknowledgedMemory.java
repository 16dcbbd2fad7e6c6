package winnow.client.acknowledge;

import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import java.util.concurrent.atomic.AtomicLong;
import winnow.wire.ErrorCode;

/// Heap for the messages of live subscriptions that the sessions of one connection keep until they
/// are acknowledged. Thread-safe.
public final class UnacknowledgedMemory {
    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();

    public UnacknowledgedMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Takes memory, if there is so much.
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /// Says that a consumer gets nothing more before its session acknowledges.
    public JMSException full(String destination) {
        return new ResourceAllocationException(
                "the consumer of '%s' gets no more messages until its session acknowledges: those"
                                .formatted(destination)
                        + " that are not acknowledged take %d bytes of the heap, the limit is %d"
                                .formatted(used.get(), limitBytes)
                        + " (option maxUnacknowledgedBytes), and fill the consumer's window"
                        + " (prefetchBytes, prefetchMessages)",
                ErrorCode.LIMIT_EXCEEDED.name());
    }
}
