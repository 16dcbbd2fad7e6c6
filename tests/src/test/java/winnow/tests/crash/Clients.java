package winnow.tests.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import winnow.client.WinnowConnectionFactory;

/// Clients of all sorts on one queue and subscription of each form, with an [Oracle] that watches
/// them. One thread.
final class Clients {
    private static final int SENDERS = 4;
    private static final long NOTICE_SECONDS = 60;
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SWEEP_MILLIS = 100;

    private final Gate gate;
    private final Oracle oracle;
    private final List<Sender> senders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /// Makes the subscriptions, so that they get everything from the beginning, and starts clients,
    /// which wait at the gate.
    ///
    /// @param url of a broker that runs
    Clients(Gate gate, Oracle oracle, String url, long seed) throws JMSException {
        this.gate = gate;
        this.oracle = oracle;
        for (Outlet outlet : Outlet.values()) {
            try (Connection connection = connect(url, outlet)) {
                outlet.open(connection.createSession(), "");
            }
        }
        List<Client> clients = new ArrayList<>();
        for (int i = 1; i <= SENDERS; i++) {
            senders.add(new Sender(i, gate, oracle, seed));
        }
        clients.addAll(senders);
        clients.add(new Mover(gate, oracle, seed));
        receivers(seed, clients);
        clients.forEach(client -> threads.add(Thread.ofPlatform().daemon().start(client)));
    }

    private void receivers(long seed, List<Client> clients) {
        for (int i = 1; i <= 3; i++) {
            clients.add(new Receiver("work-" + i, Outlet.WORK, "", gate, oracle, seed));
            clients.add(new Receiver("team-" + i, Outlet.TEAM, "", gate, oracle, seed));
        }
        clients.add(new Receiver("low", Outlet.KINDS, "kind < 2", gate, oracle, seed));
        clients.add(new Receiver("high", Outlet.KINDS, "kind >= 2", gate, oracle, seed));
        clients.add(
                new Receiver("middle", Outlet.KINDS, "kind = 1 OR kind = 2", gate, oracle, seed));
        for (Outlet outlet : List.of(Outlet.MOVED, Outlet.ALL, Outlet.SOME)) {
            clients.add(new Receiver(outlet.name(), outlet, "", gate, oracle, seed));
        }
    }

    private static Connection connect(String url, Outlet outlet) throws JMSException {
        String first = url.contains("?") ? "&" : "?";
        String id = outlet.clientId().isEmpty() ? "" : first + "clientID=" + outlet.clientId();
        return new WinnowConnectionFactory(url + id).createConnection();
    }

    /// Waits until clients have sent and received so many messages more.
    void await(long events) {
        long goal = oracle.events() + events;
        awaitProgress(() -> oracle.events() >= goal, "clients send and receive");
    }

    /// Waits until the broker has confirmed so many messages more.
    ///
    /// @param when for what is said if it does not
    void awaitConfirmed(long more, String when) {
        long goal = oracle.confirmed() + more;
        awaitProgress(() -> oracle.confirmed() >= goal, "messages are confirmed when " + when);
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    /// Waits, and fails if nothing has happened for long.
    private void awaitProgress(Condition goal, String what) {
        long before = -1;
        long since = System.nanoTime();
        while (!goal.holds()) {
            long now = System.nanoTime();
            if (oracle.events() != before) {
                before = oracle.events();
                since = now;
            } else if (now - since > STUCK_NANOS) {
                throw new IllegalStateException(
                        "expected that %s, but nothing happens; %s; violations %s; missing %s"
                                .formatted(
                                        what,
                                        oracle.summary(),
                                        oracle.violations(),
                                        some(oracle.missing())));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static List<String> some(List<String> all) {
        return all.subList(0, Math.min(all.size(), 20));
    }

    /// Waits until all clients are back at the gate.
    void awaitBack() throws InterruptedException {
        gate.awaitAll(threads.size(), NOTICE_SECONDS);
    }

    /// Lets clients receive all that was confirmed, and ends them.
    void end() throws InterruptedException {
        senders.forEach(Sender::stop);
        awaitProgress(() -> oracle.missing().isEmpty(), "all that was confirmed arrives");
        leave();
    }

    /// Lets clients receive what comes, and ends them.
    void leave() throws InterruptedException {
        senders.forEach(Sender::stop);
        awaitQuiet();
        gate.end();
        awaitBack();
    }

    private void awaitQuiet() {
        long before = -1;
        long since = System.nanoTime();
        while (System.nanoTime() - since < QUIET_NANOS) {
            if (oracle.arrived() != before) {
                before = oracle.arrived();
                since = System.nanoTime();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /// Receives what is left.
    ///
    /// @param url of the broker
    void sweep(String url) throws JMSException {
        for (Outlet outlet : Outlet.values()) {
            try (Connection connection = connect(url, outlet)) {
                connection.start();
                MessageConsumer consumer = outlet.open(connection.createSession(), "");
                List<MessageKey> all = new ArrayList<>();
                for (Message message = consumer.receive(SWEEP_MILLIS);
                        message != null;
                        message = consumer.receive(SWEEP_MILLIS)) {
                    Arrival arrival = Arrival.of(message);
                    oracle.onReceived(outlet, arrival);
                    all.add(arrival.key());
                }
                oracle.onAcknowledged(outlet, all);
            }
        }
    }
}
