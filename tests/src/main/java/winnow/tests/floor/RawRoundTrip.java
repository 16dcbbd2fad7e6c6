package winnow.tests.floor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Sends one message at a time and waits for its copy: the time of a message through an idle
/// server.
final class RawRoundTrip {
    private RawRoundTrip() {}

    /// Round trips in µs.
    record Result(double p50Micros, double p99Micros) {}

    static Result run(InetSocketAddress address, int warmUp, int count) throws IOException {
        long[] nanos = new long[count];
        ByteBuffer frame = RawConnection.publishFrames(1, 1, 0);
        try (RawConnection subscriber = new RawConnection(address);
                RawConnection publisher = new RawConnection(address)) {
            subscriber.subscribe("round-trip", 1 << 30, 1 << 30);
            publisher.open("round-trip");
            publisher.blocking(false);
            for (int i = -warmUp; i < count; i++) {
                long start = System.nanoTime();
                publisher.write(frame.duplicate());
                long before = subscriber.read();
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - start;
                }
                if (before != i + warmUp + 1L) {
                    throw new IllegalStateException("lost or doubled: " + before + " after " + i);
                }
                publisher.read();
            }
        }
        Arrays.sort(nanos);
        return new Result(nanos[count / 2] / 1e3, nanos[count * 99 / 100] / 1e3);
    }
}
