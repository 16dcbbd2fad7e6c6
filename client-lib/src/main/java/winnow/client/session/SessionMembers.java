package winnow.client.session;

import jakarta.jms.IllegalStateException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.transport.endpoint.TransportException;

/// The consumers, browsers and producers of one session. Each is added before it asks the broker
/// for anything, and none once the session is closed; so whoever closes the session finds all of
/// them, and all follow it when it is started, stopped or lost. Iterates over the consumers.
/// Thread-safe.
final class SessionMembers implements Iterable<WinnowConsumer> {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<WinnowConsumer> consumers = new CopyOnWriteArrayList<>();
    private final Set<WinnowProducer> producers = new LinkedHashSet<>();
    private final List<WinnowBrowser> browsers = new CopyOnWriteArrayList<>();
    private boolean started;
    private volatile boolean closed;
    private @Nullable TransportException lost;

    /// @throws IllegalStateException if the session is closed
    void requireOpen() throws IllegalStateException {
        if (closed) {
            throw JmsErrors.closed("session");
        }
    }

    /// @throws IllegalStateException if the session is closed
    void add(WinnowConsumer consumer) throws IllegalStateException {
        lock.lock();
        try {
            requireOpen();
            consumers.add(consumer);
            consumer.started(started);
            if (lost != null) {
                consumer.onLost(lost);
            }
        } finally {
            lock.unlock();
        }
    }

    /// @throws IllegalStateException if the session is closed
    void add(WinnowProducer producer) throws IllegalStateException {
        lock.lock();
        try {
            requireOpen();
            producers.add(producer);
        } finally {
            lock.unlock();
        }
    }

    /// @throws IllegalStateException if the session is closed
    void add(WinnowBrowser browser) throws IllegalStateException {
        lock.lock();
        try {
            requireOpen();
            browsers.add(browser);
        } finally {
            lock.unlock();
        }
    }

    void remove(WinnowBrowser browser) {
        browsers.remove(browser);
    }

    void remove(WinnowConsumer consumer) {
        consumers.remove(consumer);
    }

    void remove(WinnowProducer producer) {
        lock.lock();
        try {
            producers.remove(producer);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Iterator<WinnowConsumer> iterator() {
        return consumers.iterator();
    }

    void started(boolean nowStarted) {
        lock.lock();
        try {
            started = nowStarted;
            consumers.forEach(consumer -> consumer.started(nowStarted));
        } finally {
            lock.unlock();
        }
    }

    void onLost(TransportException cause) {
        lock.lock();
        try {
            lost = cause;
            consumers.forEach(consumer -> consumer.onLost(cause));
            browsers.forEach(browser -> browser.onLost(cause));
        } finally {
            lock.unlock();
        }
    }

    /// Nothing more comes of a connection that was lost.
    void detach(TransportException cause) {
        browsers.forEach(browser -> browser.onLost(cause));
        consumers.forEach(consumer -> consumer.subscription().detach());
    }

    /// Closes the session, and closes its producers and browsers.
    ///
    /// @return its consumers, which are left to close
    List<WinnowConsumer> close() {
        List<WinnowProducer> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(producers);
        } finally {
            lock.unlock();
        }
        left.forEach(WinnowProducer::closeWithSession);
        browsers.forEach(WinnowBrowser::close);
        List<WinnowConsumer> ending = new ArrayList<>(consumers);
        consumers.clear();
        return ending;
    }
}
