package winnow.broker.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import winnow.broker.storage.Flight;
import winnow.broker.storage.Storage;
import winnow.wire.BrowseEnd;
import winnow.wire.StoredDelivery;
import winnow.wire.WireWriter;

/// Deliveries of sessions on their way into a connection's output. They wait here while the socket
/// takes no more; [Flight] bounds them. Owned by the connection's event loop.
final class StoredDeliveries {
    /// Earlier deliveries of what stands for the end of a browser.
    private static final int BROWSE_END = -1;

    private static final byte[] NOTHING = {};

    private final Output output;
    private final Flight flight;
    private final Storage storage;
    private final Deque<Delivery> waiting = new ArrayDeque<>();
    private final WireWriter head = new WireWriter(64);
    private boolean closed;

    private static final class Delivery {
        final int session;
        final int consumer;
        final long id;
        final int earlierDeliveries;
        final byte[] block;
        final int maxNameId;

        Delivery(
                int session,
                int consumer,
                long id,
                int earlierDeliveries,
                byte[] block,
                int maxNameId) {
            this.session = session;
            this.consumer = consumer;
            this.id = id;
            this.earlierDeliveries = earlierDeliveries;
            this.block = block;
            this.maxNameId = maxNameId;
        }
    }

    StoredDeliveries(Output output, Flight flight, Storage storage) {
        this.output = output;
        this.flight = flight;
        this.storage = storage;
    }

    void add(
            int session,
            int consumer,
            long id,
            int earlierDeliveries,
            byte[] block,
            int maxNameId) {
        if (closed) {
            return;
        }
        waiting.add(new Delivery(session, consumer, id, earlierDeliveries, block, maxNameId));
        drain();
    }

    /// A browser has been sent everything: says so behind its last message.
    void addBrowseEnd(int session, int consumer) {
        if (!closed) {
            waiting.add(new Delivery(session, consumer, 0, BROWSE_END, NOTHING, 0));
            drain();
        }
    }

    /// The socket takes bytes again, or there are new deliveries.
    void drain() {
        while (!waiting.isEmpty() && output.writable()) {
            Delivery next = waiting.getFirst();
            if (next.maxNameId > 0 && !output.announceNames(next.maxNameId)) {
                return;
            }
            waiting.removeFirst();
            if (next.earlierDeliveries == BROWSE_END) {
                output.write(new BrowseEnd(next.consumer));
            } else {
                write(next);
                taken(next);
            }
        }
    }

    private void write(Delivery delivery) {
        byte[] block = delivery.block;
        head.clear();
        StoredDelivery.write(
                head, delivery.consumer, delivery.id, delivery.earlierDeliveries, block.length);
        output.appendFrames(head.array(), 0, head.size());
        output.appendFrames(block, 0, block.length);
    }

    private void taken(Delivery delivery) {
        if (flight.onTaken(delivery.block.length)) {
            storage.resume(flight);
        }
    }

    /// Deliveries of a session that are void are not sent.
    void discard(int session) {
        discard(one -> one.session == session);
    }

    /// Deliveries of a consumer that has ended are not sent.
    void discard(int session, int consumer) {
        discard(one -> one.session == session && one.consumer == consumer);
    }

    private void discard(Predicate<Delivery> which) {
        waiting.removeIf(one -> {
            boolean leaves = which.test(one);
            if (leaves && one.earlierDeliveries != BROWSE_END) {
                taken(one);
            }
            return leaves;
        });
    }

    /// The connection has gone.
    void close() {
        closed = true;
        waiting.clear();
    }
}
