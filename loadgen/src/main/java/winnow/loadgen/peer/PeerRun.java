package winnow.loadgen.peer;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// Rounds of one load, in this process, whose clock times them. Owned by the thread of the command.
///
/// ```
/// PeerRun --- burst of messages ---> broker ---> PeerReceiver, for each of them
///         <--- acknowledgements ---- broker <--- one for each message
/// ```
public final class PeerRun implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int DIGITS = 3;

    private final PeerLoad load;
    private final Duration patience;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final List<PeerReceiver> receivers = new ArrayList<>();
    private final List<MessageProducer> producers = new ArrayList<>();
    private final Connection connection;
    private final MessageConsumer acknowledgements;
    private final Message message;

    private PeerRun(PeerLoad load, Provider provider, String name, Duration patience)
            throws JMSException {
        this.load = load;
        this.patience = patience;
        connection = provider.connectMeasured();
        try {
            connection.setExceptionListener(failed -> failure.compareAndSet(null, failed));
            var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            var replies = session.createTemporaryQueue();
            acknowledgements = session.createConsumer(replies);
            connect(provider, session, name);
            message = message(session, replies);
            connection.start();
        } catch (JMSException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /// Measures a load.
    ///
    /// @param name how names of destinations begin, which nobody else uses
    /// @throws LoadException if a client failed, or acknowledgements are missing
    public static PeerResult of(PeerLoad load, Provider provider, String name)
            throws LoadException {
        return of(load, provider, name, PATIENCE);
    }

    /// The same.
    ///
    /// @param patience wait for an acknowledgement
    static PeerResult of(PeerLoad load, Provider provider, String name, Duration patience)
            throws LoadException {
        try (var run = new PeerRun(load, provider, name, patience)) {
            return run.measure();
        } catch (JMSException failed) {
            throw new LoadException(
                    "cannot send to %,d receivers: %s"
                            .formatted(load.receivers(), failed.getMessage()),
                    failed);
        }
    }

    /// Receivers first, so that no message can miss one.
    private void connect(Provider provider, Session session, String name) throws JMSException {
        for (var number = 0; number < load.receivers(); number++) {
            PeerReceiver.Address address =
                    switch (load.way()) {
                        case TOPIC -> in -> in.createTopic(name);
                        case QUEUES -> queue(name + "." + number);
                    };
            receivers.add(new PeerReceiver(provider, address, number, load.persistent(), failure));
            if (load.way() == PeerLoad.Way.QUEUES || number == 0) {
                var producer = session.createProducer(address.in(session));
                producer.setDeliveryMode(
                        load.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
                producers.add(producer);
            }
        }
    }

    private static PeerReceiver.Address queue(String name) {
        return session -> session.createQueue(name);
    }

    private Message message(Session session, Destination replies) throws JMSException {
        var made = session.createBytesMessage();
        made.writeBytes(new byte[load.bodyBytes()]);
        made.setJMSReplyTo(replies);
        return made;
    }

    private PeerResult measure() throws JMSException, LoadException {
        for (var number = 0; number < load.warmup(); number++) {
            round();
        }
        var nanos = new Histogram(DIGITS);
        for (var number = 0; number < load.rounds(); number++) {
            nanos.recordValue(round());
        }
        return new PeerResult(
                load,
                micros(nanos.getMinValue()),
                micros(nanos.getValueAtPercentile(50)),
                micros(nanos.getValueAtPercentile(99)),
                micros(nanos.getMaxValue()));
    }

    private static double micros(long nanos) {
        return nanos / (double) TimeUnit.MICROSECONDS.toNanos(1);
    }

    private long round() throws JMSException, LoadException {
        var due = new DueAcknowledgements(load);
        var begin = System.nanoTime();
        for (var sent = 0; sent < load.burst(); sent++) {
            for (var number = 0; number < producers.size(); number++) {
                producers.get(number).send(message);
                due.sent(message.getJMSMessageID(), number);
            }
        }
        while (due.missing() > 0) {
            var acknowledgement = acknowledgements.receive(patience.toMillis());
            if (acknowledgement == null) {
                throw missing(load.acknowledgements() - due.missing());
            }
            due.arrived(
                    acknowledgement.getJMSCorrelationID(),
                    acknowledgement.getIntProperty(PeerReceiver.RECEIVER));
        }
        return System.nanoTime() - begin;
    }

    private LoadException missing(int found) {
        var known = failure.get();
        return known == null
                ? new LoadException(
                        "expected %,d acknowledgements, found %,d when none had come for %,d ms"
                                .formatted(load.acknowledgements(), found, patience.toMillis()))
                : new LoadException("a client failed: " + known, known);
    }

    @Override
    public void close() throws JMSException {
        for (var receiver : receivers) {
            receiver.close();
        }
        connection.close();
    }
}
