package winnow.loadgen.worker;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.locks.LockSupport;

/// Sends each message at its due time, or as soon as it can after that: no due time is skipped
/// because a send before it took long. The due time is the beginning of the body. Owned by the
/// worker's main thread, which sends.
final class PacedPublisher implements AutoCloseable {

    /// Time before a due time in which the thread no longer sleeps: `parkNanos` woke it 100 µs late
    /// in the median and 120 µs late at the 90th percentile, on Linux with 2 processors.
    private static final long SPIN_NANOS = 150_000;

    private static final String NAME = "publisher";

    private final Command.MeasureLatency order;
    private final ErrorLog errors;
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final int id;
    private final byte[] padding;

    PacedPublisher(Command.MeasureLatency order, ErrorLog errors) throws JMSException {
        this.order = order;
        this.errors = errors;
        id = order.point().idOf(0);
        padding = new byte[Math.max(0, order.message().bodyBytes() - Long.BYTES)];
        connection = order.provider().connectMeasured();
        connection.setExceptionListener(problem -> errors.add(NAME, problem));
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        producer = LoadPublisher.producer(session, order.topic(), order.message().delivery());
        connection.start();
    }

    /// Sends all messages, or those until the first error of the provider.
    void send() throws JMSException {
        var pace = order.pace();
        var begin = System.nanoTime();
        for (var number = 0L; number < pace.messages() && errors.isEmpty(); number++) {
            var due = begin + pace.dueNanos(number);
            awaitTime(due);
            send(message(due));
        }
    }

    /// Waits for the sends that are not complete, as Jakarta Messaging demands of a connection.
    @Override
    public void close() throws JMSException {
        connection.close();
    }

    private void send(Message message) throws JMSException {
        if (order.message().async()) {
            producer.send(message, new Completion(errors));
        } else {
            producer.send(message);
        }
    }

    private Message message(long due) throws JMSException {
        var message = session.createBytesMessage();
        message.writeLong(due);
        message.writeBytes(padding);
        LoadPublisher.writeId(message, order.point(), id);
        return message;
    }

    private static void awaitTime(long due) {
        for (var left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > SPIN_NANOS) {
                LockSupport.parkNanos(left - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private record Completion(ErrorLog errors) implements CompletionListener {

        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception problem) {
            errors.add(NAME, problem);
        }
    }
}
