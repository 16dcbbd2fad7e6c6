package winnow.broker.transport;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import winnow.broker.metrics.Iterations;
import winnow.wire.FrameSplitter;

/// Limits the size of one read of a socket. Messages come in large reads, because each read costs
/// about a microsecond; requests in small ones, because each costs some microseconds itself: 64 KiB
/// of the smallest held the loop for 20 ms per connection. Owned by the connection's event loop.
final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {
    static final int SMALL_BYTES = 1024;

    /// Requests in one read that make the next one small: no more than a fifth of a millisecond.
    static final int MANY_REQUESTS = 64;

    private final Iterations iterations;
    private int bytes = SMALL_BYTES;

    /// @param iterations of the loop, which count the reads
    ReadSize(Iterations iterations) {
        this.iterations = iterations;
    }

    /// Tells what the last read brought.
    ///
    /// @param requests frames other than messages and credit
    void onRead(int readBytes, int requests) {
        if (requests > MANY_REQUESTS || (requests > 0 && readBytes <= SMALL_BYTES)) {
            bytes = SMALL_BYTES;
        } else if (readBytes >= bytes) {
            bytes = Math.min(2 * bytes, FrameSplitter.SCRATCH_BYTES);
        }
    }

    int bytes() {
        return bytes;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return bytes;
            }

            @Override
            public void lastBytesRead(int readBytes) {
                iterations.onRead();
                super.lastBytesRead(readBytes);
            }

            @Override
            public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
                return bytes > SMALL_BYTES && super.continueReading(maybeMoreData);
            }
        };
    }
}
