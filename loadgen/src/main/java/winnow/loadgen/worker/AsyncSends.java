package winnow.loadgen.worker;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// The sends of one publisher that are not complete: none of its messages is sent again before its
/// completion.
///
/// The publisher's thread sends; the provider completes the sends one at a time (Jakarta Messaging
/// 3.1, 7.3). Nothing here relies on their order.
final class AsyncSends {

    /// The sender waits for a part of its messages at a time, so that it is woken once per part.
    private static final int PARTS = 4;

    private static final long POLL_NANOS = 1_000_000;

    private final SentTally tally;
    private final ErrorLog errors;
    private final String who;
    private final Completion[] completions;
    private final AtomicLong completed = new AtomicLong();
    private long sent;

    /// @param messages how many the publisher has
    AsyncSends(int messages, SentTally tally, ErrorLog errors, String who) {
        this.tally = tally;
        this.errors = errors;
        this.who = who;
        completions = new Completion[messages];
        var partMessages = Math.ceilDiv(messages, PARTS);
        for (var first = 0; first < messages; first += partMessages) {
            var part = new Part(Math.min(partMessages, messages - first));
            for (var position = first; position < first + part.messages; position++) {
                completions[position] = new Completion(position, part, position == first);
            }
        }
    }

    /// Sends the message at a position, once its last send is complete.
    void send(MessageProducer producer, Message message, int position) throws JMSException {
        var completion = completions[position];
        if (completion.firstOfPart) {
            completion.part.free.acquireUninterruptibly();
        }
        producer.send(message, completion);
        sent++;
    }

    /// Waits until all that were sent are complete.
    void awaitAll() {
        while (completed.get() < sent) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /// Messages that stand side by side.
    private static final class Part {
        private final int messages;
        private final Semaphore free = new Semaphore(1);
        private int completed;

        Part(int messages) {
            this.messages = messages;
        }

        void complete() {
            if (++completed == messages) {
                completed = 0;
                free.release();
            }
        }
    }

    /// The completion of one message, send after send.
    private final class Completion implements CompletionListener {
        private final int position;
        private final Part part;
        private final boolean firstOfPart;

        Completion(int position, Part part, boolean firstOfPart) {
            this.position = position;
            this.part = part;
            this.firstOfPart = firstOfPart;
        }

        @Override
        public void onCompletion(Message message) {
            try {
                tally.add(position, message.getJMSTimestamp());
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

        private void complete() {
            part.complete();
            completed.incrementAndGet();
        }
    }
}
