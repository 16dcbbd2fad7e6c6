package winnow.client.transport;

import java.util.BitSet;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// The numbers of the sessions of one connection that are in use. Thread-safe.
final class SessionNumbers {
    private final BitSet used = new BitSet();
    private int last;

    /// The smallest number that is free, from 1.
    ///
    /// @throws TransportException if there is none
    synchronized int take() throws TransportException {
        return take(used.nextClearBit(1));
    }

    /// The next number that is free, in a circle: a frame that comes late does not reach the next
    /// user of its number.
    ///
    /// @throws TransportException if there is none
    synchronized int takeNext() throws TransportException {
        int number = used.nextClearBit(last + 1);
        last = take(number > Protocol.MAX_ID ? used.nextClearBit(1) : number);
        return last;
    }

    private int take(int number) throws TransportException {
        if (number > Protocol.MAX_ID) {
            throw new TransportException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "expected at most " + Protocol.MAX_ID + " sessions on one connection");
        }
        used.set(number);
        return number;
    }

    /// A session has ended, and the broker knows it.
    synchronized void free(int number) {
        used.clear(number);
    }
}
