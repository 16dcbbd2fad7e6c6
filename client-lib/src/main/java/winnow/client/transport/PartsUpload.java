package winnow.client.transport;

import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.frame.CancelParts;
import winnow.wire.frame.PublishInParts;
import winnow.wire.frame.PublishPart;

/// Sends one message in parts, so that no more of it is in memory than a part and what waits for
/// the socket. Used by the sending thread; others may send to the same destination meanwhile, but
/// not in parts.
final class PartsUpload {
    /// Bytes of a part: a quarter of the broker's default window for a producer.
    private static final int PART_BYTES = 128 * 1024;

    private final SendBuffer output;
    private final PublishHandle handle;
    private final WinnowMessage message;
    private final long timeoutNanos;

    /// @param message which has been prepared
    /// @param timeoutNanos longest wait for those before, and for the credit of each part
    PartsUpload(SendBuffer output, PublishHandle handle, WinnowMessage message, long timeoutNanos) {
        this.output = output;
        this.handle = handle;
        this.message = message;
        this.timeoutNanos = timeoutNanos;
    }

    /// Sends it.
    ///
    /// @throws TransportException if the broker refuses it, a wait was too long, or the connection
    ///   is closed: nothing of it is left at the broker
    void send(PublishTerms terms) throws TransportException, JMSException {
        long bodyBytes = message.bodyBytes();
        long bytes = bodyBytes + message.maxHeadBytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new TransportException(
                    ErrorCode.LIMIT_EXCEEDED,
                    ("the message with its headers and properties is too long: expected at most %d"
                                    + " bytes, found %d")
                            .formatted(Integer.MAX_VALUE, bytes));
        }
        awaitOthers();
        try {
            send(terms, (int) bodyBytes);
        } finally {
            handle.endParts();
            handle.parts.unlock();
        }
    }

    private void awaitOthers() throws TransportException {
        try {
            if (!handle.parts.tryLock(timeoutNanos, TimeUnit.NANOSECONDS)) {
                throw new TransportException(
                        LocalFailure.SEND_BLOCKED,
                        "could not send to %s within %d ms (sendTimeout): other large messages"
                                        .formatted(
                                                handle.name(),
                                                TimeUnit.NANOSECONDS.toMillis(timeoutNanos))
                                + " of this connection are being sent there");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    LocalFailure.INTERRUPTED, "interrupted while waiting for other large messages");
        }
    }

    private void send(PublishTerms terms, int bodyBytes) throws TransportException, JMSException {
        output.publishFrame(
                handle,
                out -> {
                    int mark =
                            PublishInParts.begin(
                                    out,
                                    handle.number(),
                                    terms.flags(),
                                    terms.number(),
                                    terms.session(),
                                    bodyBytes);
                    message.writeHead(out);
                    out.endFrame(mark);
                    handle.beginParts();
                },
                null,
                timeoutNanos);
        boolean whole = false;
        try {
            byte[] part = new byte[Math.min(PART_BYTES, bodyBytes)];
            int at = 0;
            while (at < bodyBytes) {
                int count = Math.min(part.length, bodyBytes - at);
                message.copyBody(at, part, count);
                at += count;
                output.publishFrame(
                        handle,
                        out -> PublishPart.write(out, handle.number(), part, count),
                        at == bodyBytes ? terms : null,
                        timeoutNanos);
            }
            whole = true;
        } finally {
            if (!whole) {
                cancel();
            }
        }
    }

    private void cancel() {
        handle.endParts();
        try {
            output.write(new CancelParts(handle.number()));
        } catch (TransportException e) {
            // The connection is gone, and what was sent with it.
            return;
        }
    }
}
