package winnow.client.session;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;

/// Keeps the process running while a started connection has a message listener, so that a program
/// whose `main` only sets listeners goes on. One for each connection; all of a process share one
/// thread, which is there while it is needed, and is the only one of the client that is no daemon.
/// Thread-safe.
final class ProcessHold {
    private static final Logger LOG = ClientLog.of(ProcessHold.class);
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition CHANGED = LOCK.newCondition();
    private static final Set<ProcessHold> HOLDING = new HashSet<>();
    private static boolean threadRuns;

    private int listeners;
    private boolean started;
    private boolean ended;

    /// The connection is started or stopped.
    void started(boolean nowStarted) {
        LOCK.lock();
        try {
            started = nowStarted;
            update();
        } finally {
            LOCK.unlock();
        }
    }

    /// A consumer has a listener that had none, or has none any more.
    ///
    /// @param change 1 or -1
    void onListeners(int change) {
        LOCK.lock();
        try {
            listeners += change;
            update();
        } finally {
            LOCK.unlock();
        }
    }

    /// The connection is closed or lost, for good.
    void end() {
        LOCK.lock();
        try {
            ended = true;
            update();
        } finally {
            LOCK.unlock();
        }
    }

    private void update() {
        if (started && listeners > 0 && !ended) {
            HOLDING.add(this);
            startThread();
        } else if (HOLDING.remove(this)) {
            CHANGED.signalAll();
        }
    }

    private static void startThread() {
        if (!threadRuns) {
            Thread thread = new Thread(null, ProcessHold::hold, "winnow-listening", 0, false);
            thread.setContextClassLoader(ProcessHold.class.getClassLoader());
            thread.setDaemon(false);
            try {
                thread.start();
                threadRuns = true;
            } catch (OutOfMemoryError e) {
                LOG.warn("could not start the thread that keeps the process running", e);
            }
        }
    }

    private static void hold() {
        LOCK.lock();
        try {
            while (!HOLDING.isEmpty()) {
                CHANGED.awaitUninterruptibly();
            }
        } finally {
            threadRuns = false;
            LOCK.unlock();
        }
    }
}
