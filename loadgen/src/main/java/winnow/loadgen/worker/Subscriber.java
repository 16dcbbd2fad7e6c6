package winnow.loadgen.worker;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.Arrays;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Sending;

/// Counts what it gets.
///
/// Its fields belong to the one thread on which the provider calls it; the counter is written last,
/// so whoever has read the counter sees the rest.
final class Subscriber implements MessageListener {

    private final int number;
    private final SharedCounters counters;
    private final ErrorLog errors;
    private final boolean stamped;
    private final int ringMessages;
    private final int stride;
    private final int[] nextPositions;
    private long delivered;
    private long checksum;
    private long outOfSequence;

    /// @param session not started yet
    Subscriber(
            Command.Open order,
            int number,
            Session session,
            SharedCounters counters,
            ErrorLog errors)
            throws JMSException {
        this.number = number;
        this.counters = counters;
        this.errors = errors;
        var point = order.point();
        var ids = point.sentIds().size();
        stamped = Stamp.fits(order.message().bodyBytes());
        ringMessages = Publisher.ringSize(ids, order.message().bodyBytes());
        stride = point.sending() == Sending.ROUND_ROBIN ? ids : 1;
        nextPositions = new int[point.publishers()];
        Arrays.fill(nextPositions, firstPosition(point, number));
        order.provider()
                .consumer(session, order.topic(), point.filter(), point.subscribedId(number))
                .setMessageListener(this);
    }

    @Override
    public void onMessage(Message message) {
        try {
            checksum += Tally.scramble(message.getJMSTimestamp());
            if (stamped) {
                checkSequence(((BytesMessage) message).readLong());
            }
        } catch (JMSException | RuntimeException problem) {
            errors.add("subscriber " + number, problem);
        }
        counters.delivered(number, ++delivered);
    }

    /// What it got; exact once nothing is under way.
    Receipt receipt() {
        var count = counters.delivered(number);
        return new Receipt(new Tally(count, checksum), outOfSequence);
    }

    /// Round robin: the subscriber of id #k sees every position whose id is #k, and no other.
    private static int firstPosition(Point point, int subscriber) {
        return point.sending() == Sending.ROUND_ROBIN ? subscriber : 0;
    }

    private void checkSequence(long stamp) {
        var publisher = Stamp.publisher(stamp);
        var position = Stamp.position(stamp);
        if (position != nextPositions[publisher]) {
            outOfSequence++;
        }
        nextPositions[publisher] = (position + stride) % ringMessages;
    }
}
