package winnow.client.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.link.BrokerLink;

/// Runs the message listeners of one session, one at a time, on a shared thread that it holds only
/// while there are messages, or while that thread reads the socket. Thread-safe.
final class ListenerDispatch {
    private static final long MAX_READING_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Iterable<WinnowConsumer> consumers;
    private final BrokerLink link;
    private final CallbackThreads threads;
    private final Runnable work;
    private final Runnable again = this::signal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private boolean running;
    private boolean closed;
    private volatile boolean signalled;
    private volatile boolean started;
    private volatile @Nullable Thread runner;
    private @Nullable WinnowConsumer current;

    /// @param consumers the session's, safe to iterate at any time
    /// @param loader context class loader of the listeners
    ListenerDispatch(
            Iterable<WinnowConsumer> consumers,
            BrokerLink link,
            CallbackThreads threads,
            @Nullable ClassLoader loader) {
        this.consumers = consumers;
        this.link = link;
        this.threads = threads;
        work = CallbackThreads.withLoader(loader, this::run);
    }

    /// There may be something to deliver.
    void signal() {
        lock.lock();
        try {
            signalled = true;
            if (!started || running) {
                return;
            }
            running = true;
        } finally {
            lock.unlock();
        }
        if (!threads.run(work, again)) {
            leave();
        }
    }

    /// Begins or goes on delivering, unless it is closed.
    void start() {
        lock.lock();
        try {
            started = !closed;
            left.signalAll();
        } finally {
            lock.unlock();
        }
        signal();
    }

    /// Delivers no more. Does not wait for the listener that runs.
    void stop() {
        lock.lock();
        try {
            started = false;
        } finally {
            lock.unlock();
        }
        link.wire().recallReading();
    }

    /// Waits for the listener that runs, unless it is the caller or delivery goes on.
    void awaitStopped() {
        lock.lock();
        try {
            while (running && !started && !isRunner()) {
                left.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Delivers no more for good, and waits for the listener that runs unless it is the caller.
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        stop();
        awaitStopped();
    }

    /// Waits until no listener of that consumer runs, unless it is the caller.
    void awaitLeft(WinnowConsumer consumer) {
        lock.lock();
        try {
            while (running && current == consumer && !isRunner()) {
                left.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /// True if messages may be delivered now; asked before each.
    boolean isStarted() {
        return started;
    }

    /// True if a listener runs, or is about to.
    boolean isBusy() {
        lock.lock();
        try {
            return running && current != null;
        } finally {
            lock.unlock();
        }
    }

    /// True if the caller is inside a listener of this session.
    boolean isRunner() {
        return Thread.currentThread().equals(runner);
    }

    private void run() {
        runner = Thread.currentThread();
        boolean ended = false;
        try {
            deliver();
            ended = true;
        } finally {
            if (!ended) {
                leave();
            }
        }
    }

    private void deliver() {
        boolean more;
        do {
            beginRound();
            more = false;
            for (WinnowConsumer consumer : consumers) {
                enter(consumer);
                more |= consumer.deliverToListener(this);
            }
            if (!more) {
                enter(null);
                readForListener();
            }
        } while (!endRound(more));
    }

    /// Reads the socket, if what comes is for a listener of this session. A session without one
    /// would take the reading from the thread that waits for an answer, and would have to wake it.
    private void readForListener() {
        for (WinnowConsumer consumer : consumers) {
            if (consumer.isListening()) {
                link.wire().readUntil(() -> signalled || !started, MAX_READING_NANOS);
                return;
            }
        }
    }

    private void beginRound() {
        lock.lock();
        try {
            signalled = false;
        } finally {
            lock.unlock();
        }
    }

    private void enter(@Nullable WinnowConsumer consumer) {
        lock.lock();
        try {
            current = consumer;
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Gives the thread back, unless there is more to deliver.
    private boolean endRound(boolean more) {
        lock.lock();
        try {
            if (started && (signalled || more)) {
                return false;
            }
            leave();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            running = false;
            runner = null;
            current = null;
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
