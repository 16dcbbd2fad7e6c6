package winnow.loadgen.worker;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Point;

/// Sends as fast as it may. Its messages are made in advance and sent in turn, over and over, or
/// each is made for one send ([winnow.loadgen.workload.MessageSource]).
///
/// Opened and closed by the worker's main thread, run by its own thread. The tallies may be read
/// once that has ended.
final class LoadPublisher implements Runnable, AutoCloseable {

    /// Messages made in advance: enough that their memory is not always in the cache.
    private static final int RING_MESSAGES = 1_024;

    /// Memory for the bodies of one publisher's messages; with larger bodies there are fewer.
    private static final int RING_BYTES = 16 << 20;

    private final int number;
    private final FlightWindow window;
    private final ErrorLog errors;
    private final Connection connection;
    private final List<MessageProducer> producers = new ArrayList<>();
    private final Messages messages;
    private final int ringMessages;
    private final SentTally tally;
    private final @Nullable AsyncSends asyncSends;
    private @Nullable Thread thread;
    private volatile boolean stopping;

    LoadPublisher(
            Command.Open order,
            int number,
            SharedCounters counters,
            FlightWindow window,
            ErrorLog errors)
            throws JMSException {
        this.number = number;
        this.window = window;
        this.errors = errors;
        var point = order.point();
        tally = new SentTally(number, point.targets(), counters);
        connection = order.provider().connectMeasured();
        connection.setExceptionListener(problem -> errors.add("publisher " + number, problem));
        var session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        for (var topic = 0; topic < point.topics(); topic++) {
            producers.add(producer(session, order.topic(topic), order.message().delivery()));
        }
        ringMessages = ringSize(point.targets(), order.message().bodyBytes());
        messages = messages(session, order);
        asyncSends =
                order.message().async()
                        ? new AsyncSends(ringMessages, tally, errors, "publisher " + number)
                        : null;
        connection.start();
    }

    /// The messages by their position in the ring.
    private interface Messages {
        Message at(int position) throws JMSException;
    }

    private Messages messages(Session session, Command.Open order) throws JMSException {
        Messages fresh = position -> message(session, order, position);
        return switch (order.message().source()) {
            case FRESH -> fresh;
            case CACHED -> {
                var ring = new Message[ringMessages];
                for (var position = 0; position < ring.length; position++) {
                    ring[position] = fresh.at(position);
                }
                yield position -> ring[position];
            }
        };
    }

    /// A multiple of the targets, so that these stay in turn where the ring closes.
    static int ringSize(int targets, int bodyBytes) {
        var messages = Math.min(RING_MESSAGES, RING_BYTES / Math.max(1, bodyBytes));
        return Math.max(1, messages / targets) * targets;
    }

    /// A producer with a delivery mode.
    static MessageProducer producer(Session session, String topic, DeliveryGuarantee delivery)
            throws JMSException {
        var producer = session.createProducer(session.createTopic(topic));
        producer.setDeliveryMode(
                delivery == DeliveryGuarantee.PERSISTENT
                        ? jakarta.jms.DeliveryMode.PERSISTENT
                        : jakarta.jms.DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    /// Writes an id where the filters of a point look for it.
    static void writeId(Message message, Point point, int id) throws JMSException {
        if (point.filter() == FilterKind.CORRELATION_ID) {
            message.setJMSCorrelationID("#" + id);
        }
        for (Map.Entry<String, String> property : PropertyFilter.properties(point, id).entrySet()) {
            message.setStringProperty(property.getKey(), property.getValue());
        }
    }

    void start() {
        thread = Thread.ofPlatform().daemon().name("publisher-" + number).start(this);
    }

    @Override
    public void run() {
        try {
            sendUntilStopped();
        } catch (JMSException | RuntimeException problem) {
            errors.add("publisher " + number, problem);
        }
    }

    void stop() {
        stopping = true;
    }

    /// Waits for the last send to return.
    ///
    /// @return whether it did in time
    boolean join(long millis) throws InterruptedException {
        var running = thread;
        if (running == null) {
            return true;
        }
        running.join(millis);
        return !running.isAlive();
    }

    /// Tallies of what was sent, indexed by target.
    List<Tally> sentByTarget() {
        return tally.byTarget();
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }

    private void sendUntilStopped() throws JMSException {
        var sent = 0L;
        var position = 0;
        var reserved = 0;
        while (!stopping) {
            if (reserved == 0) {
                reserved = window.reserve(sent);
                continue;
            }
            send(position);
            position = position + 1 == ringMessages ? 0 : position + 1;
            reserved--;
            sent++;
        }
        if (asyncSends != null) {
            asyncSends.awaitAll();
        }
    }

    private void send(int position) throws JMSException {
        var message = messages.at(position);
        var producer = producers.get(position % producers.size());
        if (asyncSends != null) {
            asyncSends.send(producer, message, position);
        } else {
            producer.send(message);
            tally.add(position, message.getJMSTimestamp());
        }
    }

    private Message message(Session session, Command.Open order, int position) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        var bodyBytes = order.message().bodyBytes();
        if (Stamp.fits(bodyBytes)) {
            message.writeLong(Stamp.of(number, position));
            message.writeBytes(new byte[bodyBytes - Stamp.BYTES]);
        } else {
            message.writeBytes(new byte[bodyBytes]);
        }
        var point = order.point();
        writeId(message, point, point.idOf(position % point.targets()));
        return message;
    }
}
