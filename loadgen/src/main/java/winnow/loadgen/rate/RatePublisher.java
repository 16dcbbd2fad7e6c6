package winnow.loadgen.rate;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import winnow.loadgen.worker.Provider;

/// Sends a message at each of its turns. A turn that has passed while an earlier send waited is not
/// left out: its message is sent as soon as that has returned, and keeps its due time, which stands
/// in the body.
///
/// | offset | bytes | field                                                    |
/// |--------|-------|----------------------------------------------------------|
/// | 0      | 8     | time at which it was due, by the nanosecond clock of this process |
/// | 8      | 4     | publisher, from 0                                        |
/// | 12     | 8     | number of the publisher's message, from 0                |
///
/// Opened and closed by the run's thread, run by its own. The histograms may be read once that has
/// ended.
final class RatePublisher implements AutoCloseable {

    /// Refused messages after which nobody expects the broker to take the next one.
    private static final long MANY_REFUSED = 1_000;

    private static final int DIGITS = 3;

    private final RateLoad load;
    private final int number;
    private final RateProblems problems;
    private final LongAdder sent;
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final byte[] padding;
    private final Histogram lagNanos = new Histogram(DIGITS);
    private final Histogram sendNanos = new Histogram(DIGITS);
    private long due;
    private long sentInWindow;
    private long next;
    private int uncommitted;

    /// @param sent counts what the broker has taken, of all publishers
    RatePublisher(
            RateLoad load, Provider provider, int number, LongAdder sent, RateProblems problems)
            throws JMSException {
        this.load = load;
        this.number = number;
        this.sent = sent;
        this.problems = problems;
        padding = new byte[load.bodyBytes() - RateLoad.MIN_BODY_BYTES];
        connection = provider.connectMeasured();
        connection.setExceptionListener(problem -> problems.fail("publisher " + number, problem));
        session =
                load.batch() > 0
                        ? connection.createSession(true, Session.SESSION_TRANSACTED)
                        : connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        producer = session.createProducer(load.target().in(session));
        producer.setDeliveryMode(
                load.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        connection.start();
    }

    /// Work of its thread.
    Runnable sending(Turns turns, RateWindow window) {
        return () -> {
            try {
                send(turns, window);
            } catch (JMSException | RuntimeException problem) {
                problems.fail("publisher " + number, problem);
            }
        };
    }

    private void send(Turns turns, RateWindow window) throws JMSException {
        // When this thread would be free if it had never been late by itself.
        var free = System.nanoTime();
        for (var turn = turns.next(); turn != Turns.NONE; turn = turns.next()) {
            var begin = System.nanoTime();
            // While a send waits it is not the schedule of this thread that is late.
            var ideal = free + Math.max(0, turn - free);
            tryToSend(turn);
            var end = System.nanoTime();
            free = ideal + (end - begin);
            if (window.contains(turn)) {
                due++;
                lagNanos.recordValue(Math.max(0, begin - ideal));
                sendNanos.recordValue(end - begin);
            }
            if (window.contains(end)) {
                sentInWindow++;
            }
            if (problems.refused() > MANY_REFUSED) {
                break;
            }
        }
        commit();
    }

    private void tryToSend(long turn) throws JMSException {
        try {
            var message = message(turn);
            if (load.async()) {
                producer.send(message, new Completion());
            } else {
                producer.send(message);
            }
        } catch (JMSException refused) {
            refuse(refused);
            return;
        }
        next++;
        sent.increment();
        uncommitted++;
        if (uncommitted >= load.batch()) {
            commit();
        }
    }

    private Message message(long turn) throws JMSException {
        var message = session.createBytesMessage();
        message.writeLong(turn);
        message.writeInt(number);
        message.writeLong(next);
        message.writeBytes(padding);
        return message;
    }

    private void commit() throws JMSException {
        var messages = uncommitted;
        uncommitted = 0;
        if (load.batch() > 0 && messages > 0) {
            try {
                session.commit();
            } catch (JMSException refused) {
                sent.add(-messages);
                refuse(refused);
            }
        }
    }

    /// @throws JMSException if the connection has failed, so that there is no next message
    private void refuse(JMSException refused) throws JMSException {
        if (problems.hasFailed()) {
            throw refused;
        }
        problems.refuse(refused);
    }

    /// Waits for the sends that are not complete, as Jakarta Messaging demands of a connection.
    @Override
    public void close() throws JMSException {
        connection.close();
    }

    /// Messages that were due in the window.
    long due() {
        return due;
    }

    /// Messages whose send returned in the window.
    long sentInWindow() {
        return sentInWindow;
    }

    /// Adds how late this thread was by itself.
    void addLagTo(Histogram all) {
        all.add(lagNanos);
    }

    /// Adds how long sends took.
    void addSendsTo(Histogram all) {
        all.add(sendNanos);
    }

    private final class Completion implements CompletionListener {

        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception refused) {
            sent.decrement();
            problems.refuse(refused);
        }
    }
}
