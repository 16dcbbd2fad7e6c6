package winnow.client.session;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;

/// The asynchronous sends of one session that are not complete, and the callbacks of those that
/// are: run one at a time, in the order of the sends, on a shared thread (Jakarta Messaging 3.1,
/// 7.3). Bounded by the producer credit. Thread-safe.
final class Completions {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// In the order of the sends, which is that of the answers, too.
    private final ArrayDeque<AsyncSend> unanswered = new ArrayDeque<>();

    /// Complete, and not called back. Swapped with [#called], so that the callbacks of all that
    /// came meanwhile need the lock once: 0.20 instead of 0.22 µs of the client per message.
    private List<AsyncSend> ready = new ArrayList<>();

    /// Being called back; those before [#position] are done. Changed under the lock.
    private List<AsyncSend> called = new ArrayList<>();

    private volatile int position;

    /// Threads in [#await].
    private final AtomicInteger waiting = new AtomicInteger();

    private final CallbackThreads threads;
    private final Runnable work;
    private final Runnable again = this::callBackAgain;
    private boolean running;
    private volatile @Nullable Thread runner;

    /// @param loader context class loader of the completion listeners
    Completions(CallbackThreads threads, @Nullable ClassLoader loader) {
        this.threads = threads;
        work = CallbackThreads.withLoader(loader, this::run);
    }

    /// A send begins.
    void onSend(AsyncSend send) {
        lock.lock();
        try {
            unanswered.add(send);
        } finally {
            lock.unlock();
        }
    }

    /// A send that began failed in the sending thread, so there will be no callback.
    void onSendFailed(AsyncSend send) {
        lock.lock();
        try {
            unanswered.removeLastOccurrence(send);
            send.abandon();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The outcome of a send is known. Called in the order of the sends.
    ///
    /// @param refused why it failed, null if it did not
    void onAnswer(AsyncSend send, @Nullable JMSException refused) {
        lock.lock();
        try {
            if (!unanswered.removeFirstOccurrence(send)) {
                // Somebody who closed did not want to wait for the answer any longer.
                return;
            }
            makeReady(send, refused);
        } finally {
            lock.unlock();
        }
    }

    private void makeReady(AsyncSend send, @Nullable JMSException refused) {
        send.refuse(refused);
        ready.add(send);
        callBack();
    }

    /// Calls back what is ready in a thread of its own, unless one does already. Needs the lock.
    private void callBack() {
        if (!running && !ready.isEmpty()) {
            running = threads.run(work, again);
            if (!running) {
                changed.signalAll();
            }
        }
    }

    private void callBackAgain() {
        lock.lock();
        try {
            callBack();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the sends are complete and their callbacks have returned. Those that are not
    /// answered in time fail. Called by a completion listener of this session, which the other
    /// callbacks wait for, it does not wait. If no other thread can be had for the callbacks, the
    /// caller runs them.
    ///
    /// @param timeoutMillis longest wait for answers; callbacks may take as long as they like
    void await(Predicate<AsyncSend> which, long timeoutMillis) {
        boolean complete = awaitAnswers(which, timeoutMillis);
        while (!complete) {
            giveUp(which, timeoutMillis);
            complete = awaitAnswers(which, 0);
        }
    }

    /// The same, but those that are not answered in time may be answered later.
    ///
    /// @return whether all are complete
    boolean awaitAnswers(Predicate<AsyncSend> which, long timeoutMillis) {
        if (isRunner()) {
            return true;
        }
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lock();
        waiting.getAndIncrement();
        try {
            while (unanswered.stream().anyMatch(which)) {
                try {
                    long rest = changed.awaitNanos(deadline - System.nanoTime());
                    if (rest <= 0 && unanswered.stream().anyMatch(which)) {
                        return false;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            while (isToBeCalled(which)) {
                if (running) {
                    changed.awaitUninterruptibly();
                } else {
                    callBackHere();
                }
            }
            return true;
        } finally {
            waiting.getAndDecrement();
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void callBackHere() {
        running = true;
        lock.unlock();
        try {
            work.run();
        } finally {
            lock.lock();
        }
    }

    private void giveUp(Predicate<AsyncSend> which, long timeoutMillis) {
        lock.lock();
        try {
            List<AsyncSend> late = new ArrayList<>(unanswered);
            late.removeIf(which.negate());
            for (AsyncSend send : late) {
                unanswered.remove(send);
                send.abandon();
                makeReady(
                        send,
                        JmsErrors.timedOut(
                                "closed before the broker confirmed the message: it did not within"
                                        + " %d ms (closeTimeout)".formatted(timeoutMillis)));
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isToBeCalled(Predicate<AsyncSend> which) {
        return called.subList(position, called.size()).stream().anyMatch(which)
                || ready.stream().anyMatch(which);
    }

    /// True if the caller is inside a completion listener of this session.
    boolean isRunner() {
        return Thread.currentThread().equals(runner);
    }

    /// True if the caller is inside the completion listener of one of the sends.
    boolean isRunner(Predicate<AsyncSend> which) {
        lock.lock();
        try {
            return isRunner() && which.test(called.get(position));
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        runner = Thread.currentThread();
        while (takeReady()) {
            for (int i = 0; i < called.size(); i++) {
                CallbackThreads.call("a completion listener", called.get(i)::callBack);
                position = i + 1;
                // A thread that waits says so before it looks at the position.
                if (waiting.get() > 0) {
                    signalAll();
                }
            }
        }
    }

    private void signalAll() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean takeReady() {
        lock.lock();
        try {
            List<AsyncSend> done = called;
            done.clear();
            called = ready;
            ready = done;
            position = 0;
            running = !called.isEmpty();
            if (!running) {
                runner = null;
            }
            return running;
        } finally {
            lock.unlock();
        }
    }
}
