package winnow.client;

import java.util.concurrent.atomic.AtomicBoolean;

/// Notices that the listener of one consumer of stored messages waits in vain, and lets it ask for
/// what others were sent ahead. Looks from time to time while there is a listener. Thread-safe.
final class ListenerWatch {
    private final Waiter waiter;
    private final Timer timer;
    private final AtomicBoolean running = new AtomicBoolean();

    /// Of the timer's thread.
    private final AskTimes asks = new AskTimes();

    private volatile boolean progress;

    /// The consumer. Called on the timer's thread; must not block.
    interface Waiter {
        /// True if there is a listener that may be called.
        boolean isListening();

        /// True if the listener has something to do.
        boolean isBusy();

        void ask();
    }

    /// Runs something later.
    @FunctionalInterface
    interface Timer {
        void after(long millis, Runnable task);
    }

    ListenerWatch(Waiter waiter, Timer timer) {
        this.waiter = waiter;
        this.timer = timer;
    }

    /// There may be a listener now.
    void begin() {
        if (waiter.isListening() && running.compareAndSet(false, true)) {
            timer.after(asks.millis(), this::look);
        }
    }

    /// The listener gets a message.
    void onMessage() {
        if (!progress) {
            progress = true;
        }
    }

    private void look() {
        if (!waiter.isListening()) {
            asks.onMessage();
            running.set(false);
            // Another thread may have set one meanwhile.
            begin();
            return;
        }
        if (progress || waiter.isBusy()) {
            progress = false;
            asks.onMessage();
        } else {
            waiter.ask();
        }
        asks.onAsked();
        timer.after(asks.millis(), this::look);
    }
}
