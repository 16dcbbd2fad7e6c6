package winnow.client.session;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Notices that the listener of one consumer of stored messages waits in vain, and lets it ask for
/// what others were sent ahead. Looks from time to time while there is a listener. Thread-safe.
final class ListenerWatch {
    private final Waiter waiter;
    private final Timer timer;
    private final AtomicBoolean running = new AtomicBoolean();

    /// Of the timer's thread.
    private final AskTimes asks = new AskTimes();

    /// Counts the uses of the timer: what an earlier one still calls is ignored.
    private final AtomicInteger turn = new AtomicInteger();

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
            lookLater(turn.get());
        }
    }

    /// The timer is gone with its connection: until [#begin], nothing is asked.
    void forget() {
        turn.getAndIncrement();
        running.set(false);
    }

    private void lookLater(int of) {
        timer.after(asks.millis(), () -> look(of));
    }

    /// The listener gets a message.
    void onMessage() {
        if (!progress) {
            progress = true;
        }
    }

    private void look(int of) {
        if (of != turn.get()) {
            return;
        }
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
        lookLater(of);
    }
}
