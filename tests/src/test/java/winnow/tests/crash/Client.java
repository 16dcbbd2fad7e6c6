package winnow.tests.crash;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import winnow.client.WinnowConnectionFactory;

/// A client that connects, works for a while, leaves in order and connects again, and so when its
/// broker is killed or its line breaks. A thread of its own.
abstract class Client implements Runnable {
    /// How long the end of the broker may take to be known after a client has noticed it.
    private static final long NOTICE_SECONDS = 20;

    private static final long MAX_LINE_BYTES = 100_000;
    private static final long LONG_LINE_BYTES = 4_000_000;
    private static final int MAX_PAUSE_MILLIS = 500;
    private static final int HEARTBEAT_MILLIS = 500;
    private static final long PAUSE_MILLIS = 100;
    private static final int MAX_PACE_MILLIS = 12;
    private static final int[] PREFETCHES = {1, 10, 1000};

    private final String name;
    private final Gate gate;
    private final Oracle oracle;
    private final Random random;
    private @Nullable Line line;

    Client(String name, Gate gate, Oracle oracle, long seed) {
        this.name = name;
        this.gate = gate;
        this.oracle = oracle;
        this.random = new Random(seed ^ name.hashCode());
        gate.register(name);
    }

    Oracle oracle() {
        return oracle;
    }

    Random random() {
        return random;
    }

    /// Client identifier of its connections, empty for none.
    String clientId() {
        return "";
    }

    /// Uses a connection for a while.
    abstract void work(Connection connection) throws JMSException;

    /// Tells if there is nothing to wait for, because broker and connection are gone.
    boolean isOver() {
        return lasts() ? gate.hasEnded() : gate.isClosed();
    }

    /// Tells if its connection survives its broker.
    boolean lasts() {
        return gate.life().lasts();
    }

    /// Amount of work of one use of a connection: objects of a connection that lasts see several
    /// brokers.
    int life(int usual) {
        return lasts() ? 10 * usual : usual;
    }

    boolean keepsPace() {
        return gate.life() == ClientLife.CLUSTERED;
    }

    /// Keeps the pace of senders.
    void keepPace() {
        if (keepsPace()) {
            pause(random.nextInt(MAX_PACE_MILLIS));
        }
    }

    static void pause(long millis) {
        LockSupport.parkNanos(millis * 1_000_000);
    }

    @Override
    public void run() {
        try {
            for (String url = gate.pass(name); !url.isEmpty(); url = gate.pass(name)) {
                runOnce(url);
            }
        } catch (InterruptedException e) {
            oracle.onViolation(name + ": was interrupted");
        } catch (RuntimeException e) {
            oracle.onViolation(name + ": " + trace(e));
        }
    }

    private void runOnce(String url) throws InterruptedException {
        if (lasts()) {
            last(gate.lastingUrl());
            return;
        }
        if (!gate.life().breaks()) {
            connect(url);
            return;
        }
        try (Line breaking = new Line(url, random.nextLong(MAX_LINE_BYTES))) {
            line = breaking;
            connect(breaking.url());
        } catch (IOException e) {
            oracle.onViolation(name + ": " + trace(e));
        }
    }

    /// True if what it gets may have been given to others, because the broker knows that its
    /// connection is lost.
    boolean isLost() {
        Line own = line;
        return own != null && own.isBroken();
    }

    /// True if its connection may be lost at any time.
    boolean isBreakable() {
        return line != null || lasts();
    }

    private void connect(String url) throws InterruptedException {
        try (Connection connection = factory(url).createConnection()) {
            connection.setExceptionListener(failure -> {});
            connection.start();
            work(connection);
        } catch (JMSException e) {
            long now = System.nanoTime();
            // Until the broker has noticed it too, the client identifier is in use.
            boolean broken = isLost() || (isBreakable() && e instanceof InvalidClientIDException);
            if (!broken && !gate.awaitKilledBefore(now, NOTICE_SECONDS)) {
                oracle.onViolation(name + ": failed with a broker that runs: " + trace(e));
            }
        }
    }

    private WinnowConnectionFactory factory(String url) throws JMSException {
        int prefetch = PREFETCHES[random.nextInt(PREFETCHES.length)];
        String options = "queuePrefetchMessages=" + prefetch + "&prefetchMessages=" + prefetch;
        if (!clientId().isEmpty()) {
            options += "&clientID=" + clientId();
        }
        if (!lasts()) {
            options += "&maxReconnectAttempts=0&startupMaxReconnectAttempts=0";
        } else {
            options += "&startupTimeout=0&maxReconnectDelay=" + MAX_PAUSE_MILLIS;
        }
        if (gate.life().impatient()) {
            options += "&heartbeat=" + HEARTBEAT_MILLIS;
        }
        String first = url.contains("?") ? "&" : "?";
        return new WinnowConnectionFactory(url + first + options);
    }

    /// Uses one connection until all clients end, as an application does that has no code for a
    /// broker that goes away. The line breaks in it if lines do.
    private void last(String url) throws InterruptedException {
        if (!gate.life().breaks()) {
            lastOn(url);
            return;
        }
        try (WeakLine weak = new WeakLine(gate::url, Client::lineBytes)) {
            lastOn(weak.url());
        } catch (IOException e) {
            oracle.onViolation(name + ": " + trace(e));
        }
    }

    /// Bytes after which a line breaks. One line in four carries more than all messages of a
    /// window, which come first on each line: a client whose lines all break before that never gets
    /// an answer.
    private static long lineBytes() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return random.nextLong(random.nextInt(4) == 0 ? LONG_LINE_BYTES : MAX_LINE_BYTES);
    }

    private void lastOn(String url) throws InterruptedException {
        try (Connection connection = factory(url).createConnection()) {
            connection.setExceptionListener(
                    failure -> oracle.onViolation(name + ": gave up: " + trace(failure)));
            connection.start();
            while (!gate.hasEnded()) {
                workOnce(connection);
            }
        } catch (JMSException e) {
            oracle.onViolation(name + ": " + trace(e));
        }
    }

    /// The loss of a connection may show in one way alone: what was open takes no effect.
    private void workOnce(Connection connection) {
        try {
            work(connection);
        } catch (TransactionRolledBackException e) {
            // The transaction takes no effect, as the oracle has been told.
        } catch (IllegalStateException e) {
            // What it acknowledges comes again.
        } catch (JMSException e) {
            if (mayRefuse(e)) {
                pause(PAUSE_MILLIS);
                return;
            }
            oracle.onViolation(name + ": " + trace(e));
            pause(PAUSE_MILLIS);
        }
    }

    /// True if the broker has refused it because its disk is full, which it may.
    boolean mayRefuse(Exception failure) {
        return gate.life() == ClientLife.CLUSTERED
                && failure instanceof ResourceAllocationException;
    }

    private static String trace(Exception e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
