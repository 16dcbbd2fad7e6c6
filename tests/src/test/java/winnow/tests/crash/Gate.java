package winnow.tests.crash;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Behind it there is a broker. Clients go through it before they connect; it is closed when the
/// broker has been killed, and opened for the next one when all clients are back. Thread-safe.
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> outside = new TreeSet<>();
    private String url = "";
    private boolean ended;
    private final ClientLife life;
    private final String lastingUrl;
    private volatile long killNanos = Long.MAX_VALUE;

    /// @param life of the connections of clients
    /// @param lastingUrl of a client that outlives brokers
    Gate(ClientLife life, String lastingUrl) {
        this.life = life;
        this.lastingUrl = lastingUrl;
    }

    /// URL with all addresses that brokers have one after the other.
    String lastingUrl() {
        return lastingUrl;
    }

    ClientLife life() {
        return life;
    }

    /// URL of the broker of now, empty if there is none.
    String url() {
        lock.lock();
        try {
            return url;
        } finally {
            lock.unlock();
        }
    }

    /// Tells if clients have to end.
    boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /// A client begins outside.
    void register(String client) {
        lock.lock();
        try {
            outside.add(client);
        } finally {
            lock.unlock();
        }
    }

    /// A client has no connection; it waits until there is a broker.
    ///
    /// @return its URL; empty if the client has to end
    String pass(String client) throws InterruptedException {
        lock.lock();
        try {
            outside.add(client);
            changed.signalAll();
            while (url.isEmpty() && !ended) {
                changed.await();
            }
            if (ended) {
                return "";
            }
            outside.remove(client);
            return url;
        } finally {
            lock.unlock();
        }
    }

    /// The broker is about to be killed.
    void onKill() {
        killNanos = System.nanoTime();
    }

    /// Waits for the gate to be closed.
    ///
    /// @param nanos a time of [System#nanoTime]
    /// @return whether it is, and because of a broker that was killed before that time
    boolean awaitKilledBefore(long nanos, long seconds) throws InterruptedException {
        return awaitClosed(seconds) && killNanos - nanos <= 0;
    }

    void open(String newUrl) {
        lock.lock();
        try {
            url = newUrl;
            if (!newUrl.isEmpty()) {
                killNanos = Long.MAX_VALUE;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        open("");
    }

    /// Clients end when they come back.
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// True if clients should come back.
    boolean isClosed() {
        lock.lock();
        try {
            return url.isEmpty() || ended;
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitClosed(long seconds) throws InterruptedException {
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        lock.lock();
        try {
            while (!isClosed() && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return isClosed();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until all clients are back.
    ///
    /// @param clients how many
    void awaitAll(int clients, long seconds) throws InterruptedException {
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        lock.lock();
        try {
            while (outside.size() < clients) {
                if (nanos <= 0) {
                    throw new IllegalStateException(
                            "expected all %d clients to notice the end of the broker, found %s"
                                    .formatted(clients, outside));
                }
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }
}
