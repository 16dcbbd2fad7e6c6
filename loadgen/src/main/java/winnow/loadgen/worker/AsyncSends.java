package winnow.loadgen.worker;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/// The sends of one publisher that are not complete. At most as many as it has messages, so that
/// none is sent again before its completion.
///
/// The publisher's thread sends; the provider completes the sends one at a time and in their order
/// (Jakarta Messaging 3.1, 7.3).
final class AsyncSends implements CompletionListener {

    /// The sender waits for completions a part at a time, so that it is woken once per part.
    private static final int PARTS = 4;

    private static final long POLL_NANOS = 1_000_000;

    private final int messages;
    private final int partMessages;
    private final SentTally tally;
    private final ErrorLog errors;
    private final String who;
    private final Semaphore freeParts;
    private long sent;
    private volatile long completed;

    /// @param messages how many the publisher has
    AsyncSends(int messages, SentTally tally, ErrorLog errors, String who) {
        this.messages = messages;
        this.tally = tally;
        this.errors = errors;
        this.who = who;
        partMessages = Math.max(1, messages / PARTS);
        freeParts = new Semaphore(messages / partMessages);
    }

    /// Sends, once the message's last send is complete.
    void send(MessageProducer producer, Message message) throws JMSException {
        if (sent % partMessages == 0) {
            freeParts.acquireUninterruptibly();
        }
        producer.send(message, this);
        sent++;
    }

    /// Waits until all that were sent are complete.
    void awaitAll() {
        while (completed < sent) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public void onCompletion(Message message) {
        try {
            tally.add((int) (completed % messages), message.getJMSTimestamp());
        } catch (JMSException problem) {
            errors.add(who, problem);
        }
        complete();
    }

    @Override
    public void onException(Message message, Exception problem) {
        errors.add(who, problem);
        complete();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One completion at a time.
    private void complete() {
        completed++;
        if (completed % partMessages == 0) {
            freeParts.release();
        }
    }
}
