package winnow.loadgen.worker;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.Arrays;

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
    private final int[] strides;
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
        stamped = Stamp.fits(order.message().bodyBytes());
        ringMessages = LoadPublisher.ringSize(point.targets(), order.message().bodyBytes());
        var selected = point.selectedTargets(number).toArray();
        strides = strides(selected, point.targets());
        nextPositions = new int[point.publishers()];
        Arrays.fill(nextPositions, selected.length == 0 ? 0 : selected[0]);
        order.provider()
                .consumer(
                        session,
                        order.topic(point.subscribedTopic(number)),
                        point,
                        point.firstSubscribedId(number))
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

    /// Copies that it got; exact once nothing is under way.
    Receipt receipt() {
        var count = counters.delivered(number);
        return new Receipt(new Tally(count, checksum), outOfSequence);
    }

    /// For each of the selected targets the distance to the next one, in the order of sending; 1
    /// for targets that are not selected.
    private static int[] strides(int[] selected, int targets) {
        var strides = new int[targets];
        Arrays.fill(strides, 1);
        for (var index = 0; index < selected.length; index++) {
            var isLast = index == selected.length - 1;
            var next = isLast ? selected[0] + targets : selected[index + 1];
            strides[selected[index]] = next - selected[index];
        }
        return strides;
    }

    private void checkSequence(long stamp) {
        var publisher = Stamp.publisher(stamp);
        var position = Stamp.position(stamp);
        if (position != nextPositions[publisher]) {
            outOfSequence++;
        }
        nextPositions[publisher] = (position + strides[position % strides.length]) % ringMessages;
    }
}
