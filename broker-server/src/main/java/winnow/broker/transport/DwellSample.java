package winnow.broker.transport;

/// Copies in one output whose stay is measured by its next write. Owned by its loop.
final class DwellSample {
    private int copies;

    /// When the oldest was read.
    private long readNanos;

    void add(long newReadNanos, int newCopies) {
        if (copies == 0) {
            readNanos = newReadNanos;
        }
        copies += newCopies;
    }

    /// They have left.
    void end(NettyLoop loop) {
        if (copies > 0) {
            loop.onDwelt(System.nanoTime() - readNanos, copies);
            copies = 0;
        }
    }
}
