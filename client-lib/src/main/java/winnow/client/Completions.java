package winnow.client;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The asynchronous sends of one session that are not complete, and the callbacks of those that
/// are: run one at a time, in the order of the sends, on a shared thread (Jakarta Messaging 3.1,
/// 7.3). Bounded by the producer credit. Thread-safe.
final class Completions implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allComplete = lock.newCondition();
    private final ArrayDeque<AsyncSend> ready = new ArrayDeque<>();
    private long incomplete;
    private boolean running;
    private volatile @Nullable Thread runner;

    /// A send begins.
    void onSend() {
        lock.lock();
        try {
            incomplete++;
        } finally {
            lock.unlock();
        }
    }

    /// A send that began failed in the sending thread, so there will be no callback.
    void onSendFailed() {
        lock.lock();
        try {
            complete();
        } finally {
            lock.unlock();
        }
    }

    /// The outcome of a send is known. Called in the order of the sends.
    void add(AsyncSend send) {
        lock.lock();
        try {
            ready.add(send);
            if (running) {
                return;
            }
            running = true;
        } finally {
            lock.unlock();
        }
        CallbackThreads.run(this);
    }

    /// Waits until every send is complete and its callback has returned.
    ///
    /// @return false if that took longer than the timeout
    boolean awaitAll(long timeoutMillis) {
        long rest = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lock();
        try {
            while (incomplete > 0 && rest > 0) {
                rest = allComplete.awaitNanos(rest);
            }
            return incomplete == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the caller is inside a completion listener of this session.
    boolean isRunner() {
        return Thread.currentThread().equals(runner);
    }

    @Override
    public void run() {
        runner = Thread.currentThread();
        for (AsyncSend send = next(false); send != null; send = next(true)) {
            try {
                send.callBack();
            } catch (RuntimeException e) {
                LOG.warn("a completion listener failed", e);
            }
        }
    }

    private @Nullable AsyncSend next(boolean oneIsDone) {
        lock.lock();
        try {
            if (oneIsDone) {
                complete();
            }
            AsyncSend next = ready.poll();
            if (next == null) {
                running = false;
                runner = null;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void complete() {
        incomplete--;
        if (incomplete == 0) {
            allComplete.signalAll();
        }
    }
}
