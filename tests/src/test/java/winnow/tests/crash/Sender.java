package winnow.tests.crash;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/// Sends numbered messages to all targets, in one of the ways that there are, another one with each
/// connection.
final class Sender extends Client {
    private static final long LARGEST_BACKLOG = 5_000;
    private static final int IN_FLIGHT = 50;
    private static final List<Target> TARGETS = List.of(Target.values());

    private final int number;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private long messages;
    private long transactions;
    private int connections;

    private enum Way {
        SYNC,
        COMPLETION,
        TRANSACTED,
        NOT_PERSISTENT
    }

    Sender(int number, Gate gate, Oracle oracle, long seed) {
        super("sender-" + number, gate, oracle, seed);
        this.number = number;
    }

    /// It sends nothing any more.
    void stop() {
        stopped.set(true);
    }

    private boolean isLeaving() {
        return isOver() || stopped.get();
    }

    @Override
    void work(Connection connection) throws JMSException {
        if (stopped.get()) {
            pause(50);
            return;
        }
        if (!lasts()) {
            connections++;
        }
        Way[] ways = Way.values();
        Way way = number == 1 && keepsPace() ? Way.SYNC : ways[random().nextInt(ways.length)];
        boolean transacted = way == Way.TRANSACTED;
        int mode = transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE;
        try (Session session = connection.createSession(transacted, mode)) {
            Producing producing = new Producing(session, way);
            int life = life(20 + random().nextInt(400));
            for (int i = 0; i < life && !isLeaving(); i++) {
                if (transacted) {
                    producing.transact();
                } else {
                    producing.send();
                }
                keepPace();
                while (oracle().backlog() > LARGEST_BACKLOG && !isLeaving()) {
                    pause(5);
                }
            }
            producing.finish();
        }
    }

    /// A message with what it is for the oracle.
    private record Next(Message message, Sent sent, Destination destination) {}

    /// The producer of one connection.
    private final class Producing {
        private final Session session;
        private final Way way;
        private final MessageProducer producer;
        private final Map<Target, Destination> destinations = new EnumMap<>(Target.class);
        private final Semaphore flight = new Semaphore(IN_FLIGHT);

        Producing(Session session, Way way) throws JMSException {
            this.session = session;
            this.way = way;
            producer = session.createProducer(null);
            if (way == Way.NOT_PERSISTENT) {
                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            }
            for (Target target : Target.values()) {
                destinations.put(target, target.in(session));
            }
        }

        private Next next(long transaction) throws JMSException {
            MessageKey key = new MessageKey(number, ++messages);
            int kind = random().nextInt(Arrival.KINDS);
            Target target = TARGETS.get(random().nextInt(TARGETS.size()));
            Message message = Arrival.write(session, key, 0, kind);
            boolean persistent = way != Way.NOT_PERSISTENT;
            Sent sent = oracle().onSending(key, target, kind, persistent, transaction, connections);
            Destination destination = destinations.getOrDefault(target, target.in(session));
            return new Next(message, sent, destination);
        }

        void send() throws JMSException {
            Next next = next(0);
            if (way == Way.COMPLETION) {
                flight.acquireUninterruptibly();
                producer.send(next.destination, next.message, new Completion(next.sent));
            } else {
                producer.send(next.destination, next.message);
                oracle().onKept(next.sent);
            }
        }

        /// Tells what becomes of one asynchronous send.
        private final class Completion implements CompletionListener {
            private final Sent sent;

            Completion(Sent sent) {
                this.sent = sent;
            }

            @Override
            public void onCompletion(Message message) {
                oracle().onKept(sent);
                flight.release();
            }

            @Override
            public void onException(Message message, Exception failure) {
                if (lasts() && !mayRefuse(failure)) {
                    oracle().onViolation(sent.key() + " was not sent: " + failure);
                }
                flight.release();
            }
        }

        void transact() throws JMSException {
            // The number of the sender, and one that it uses once.
            long transaction = ((long) number << 48) + ++transactions;
            int size = 1 + random().nextInt(random().nextInt(10) == 0 ? 100 : 8);
            List<Sent> all = new ArrayList<>();
            boolean asked = false;
            try {
                for (int i = 0; i < size; i++) {
                    Next next = next(transaction);
                    all.add(next.sent);
                    producer.send(next.destination, next.message);
                }
                if (random().nextInt(6) == 0) {
                    session.rollback();
                } else {
                    asked = true;
                    session.commit();
                    all.forEach(oracle()::onKept);
                }
            } catch (TransactionRolledBackException e) {
                asked = false;
                throw e;
            } finally {
                if (!asked) {
                    all.forEach(oracle()::onDropped);
                }
            }
        }

        void finish() {
            flight.acquireUninterruptibly(IN_FLIGHT);
        }
    }
}
