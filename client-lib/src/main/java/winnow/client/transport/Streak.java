package winnow.client.transport;

/// Tells whether something happens often in a row, and fast. Not thread-safe.
final class Streak {
    private final int enough;
    private final long fastNanos;
    private int length;
    private long startNanos;

    /// @param enough how often is often
    /// @param fastNanos in less than how many nanoseconds
    Streak(int enough, long fastNanos) {
        this.enough = enough;
        this.fastNanos = fastNanos;
    }

    /// It happened.
    ///
    /// @return whether that was often enough, and fast; then the next streak begins
    boolean add() {
        if (length == 0) {
            startNanos = System.nanoTime();
        }
        length++;
        if (length < enough) {
            return false;
        }
        length = 0;
        return System.nanoTime() - startNanos < fastNanos;
    }

    /// Something else happened.
    void end() {
        length = 0;
    }
}
