package winnow.broker.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.storage.Flight;
import winnow.broker.storage.Storage;
import winnow.wire.frame.BrowseEnd;
import winnow.wire.frame.DeliveryCut;
import winnow.wire.frame.Recall;

/// Deliveries of sessions on their way into a connection's output. They wait here while the socket
/// takes no more; [Flight] bounds them. Owned by the connection's event loop.
final class StoredDeliveries {
    private static final byte[] NOTHING = {};

    /// Stands for the session of live subscriptions, which have none.
    private static final int LIVE = 0;

    private final Output output;
    private final Flight flight;
    private final Storage storage;
    private final Deque<Delivery> waiting = new ArrayDeque<>();
    private boolean closed;

    private enum Kind {
        MESSAGE,
        IN_PARTS,
        PART,
        CUT,
        BROWSE_END,
        RECALL,
        LIVE_END
    }

    /// One delivery, or a part of one.
    static final class Delivery {
        private final Kind kind;
        private final int session;
        private final int consumer;
        private final byte[] bytes;
        private long id;
        private int earlierDeliveries;
        private int maxNameId;
        private int bodyBytes;
        private @Nullable Runnable then;

        private Delivery(Kind kind, int session, int consumer, byte[] bytes) {
            this.kind = kind;
            this.session = session;
            this.consumer = consumer;
            this.bytes = bytes;
        }

        /// True if it is a browser's.
        private boolean browsed() {
            return switch (kind) {
                case MESSAGE, IN_PARTS -> id == 0;
                case PART, CUT, RECALL, LIVE_END -> false;
                case BROWSE_END -> true;
            };
        }

        /// A message, with its block.
        static Delivery of(int session, int consumer, byte[] block) {
            return new Delivery(Kind.MESSAGE, session, consumer, block);
        }

        /// A message whose body is in parts.
        ///
        /// @param block up to the body
        static Delivery inParts(int session, int consumer, byte[] block, int bodyBytes) {
            Delivery made = new Delivery(Kind.IN_PARTS, session, consumer, block);
            made.bodyBytes = bodyBytes;
            return made;
        }

        /// A message in parts for a live subscription, which is not counted.
        ///
        /// @param block up to the body
        static Delivery live(int subscription, byte[] block, int bodyBytes, int maxNameId) {
            return inParts(LIVE, subscription, block, bodyBytes).as(0, 0, maxNameId);
        }

        /// The message in parts for a live subscription is complete, or is cut.
        ///
        /// @param then run when the output has all that was added before
        static Delivery end(int subscription, Runnable then) {
            Delivery made = new Delivery(Kind.LIVE_END, LIVE, subscription, NOTHING);
            made.then = then;
            return made;
        }

        /// A part of a body.
        static Delivery part(int session, int consumer, byte[] part) {
            return new Delivery(Kind.PART, session, consumer, part);
        }

        /// The rest of a body does not come.
        static Delivery cut(int session, int consumer) {
            return new Delivery(Kind.CUT, session, consumer, NOTHING);
        }

        /// A browser has been sent everything.
        static Delivery browseEnd(int session, int consumer) {
            return new Delivery(Kind.BROWSE_END, session, consumer, NOTHING);
        }

        /// Wants back what the consumer has not used.
        static Delivery recall(int session, int consumer) {
            return new Delivery(Kind.RECALL, session, consumer, NOTHING);
        }

        /// Sets how the message is delivered.
        Delivery as(long delivery, int earlier, int largestNameId) {
            id = delivery;
            earlierDeliveries = earlier;
            maxNameId = largestNameId;
            return this;
        }

        /// True if [Flight] counts it.
        boolean counts() {
            return switch (kind) {
                case MESSAGE, PART -> true;
                case IN_PARTS -> session != LIVE;
                case CUT, BROWSE_END, RECALL, LIVE_END -> false;
            };
        }
    }

    StoredDeliveries(Output output, Flight flight, Storage storage) {
        this.output = output;
        this.flight = flight;
        this.storage = storage;
    }

    void add(Delivery delivery) {
        if (!closed) {
            waiting.add(delivery);
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
            if (!write(next)) {
                return;
            }
            waiting.removeFirst();
            if (next.then != null) {
                next.then.run();
            }
        }
    }

    /// @return false if there is no room for it now
    private boolean write(Delivery next) {
        return switch (next.kind) {
            case MESSAGE ->
                    output.deliverStored(
                            next.consumer,
                            next.id,
                            next.earlierDeliveries,
                            next.bytes,
                            () -> taken(next));
            case IN_PARTS ->
                    output.deliverInParts(
                            next.consumer,
                            next.id,
                            next.earlierDeliveries,
                            next.bodyBytes,
                            next.bytes,
                            () -> taken(next));
            case PART -> output.deliverPart(next.consumer, next.bytes, () -> taken(next));
            case CUT -> {
                output.write(new DeliveryCut(next.consumer));
                yield true;
            }
            case BROWSE_END -> {
                output.write(new BrowseEnd(next.consumer));
                yield true;
            }
            case RECALL -> {
                output.write(new Recall(next.consumer));
                yield true;
            }
            case LIVE_END -> true;
        };
    }

    private void taken(Delivery delivery) {
        if (delivery.counts() && flight.onTaken(delivery.bytes.length)) {
            storage.resume(flight);
        }
    }

    /// A session has ended: nothing of it is sent.
    void discard(int session) {
        discard(one -> one.session == session);
    }

    /// Deliveries of a session that are void are not sent. What its browsers get is no delivery.
    void discardVoid(int session) {
        discard(one -> one.session == session && !one.browsed());
    }

    /// Deliveries of a consumer that has ended are not sent.
    void discard(int session, int consumer) {
        discard(one -> one.session == session && one.consumer == consumer);
    }

    /// The message in parts of a live subscription is not sent.
    void discardLive(int subscription) {
        discard(LIVE, subscription);
    }

    /// Something is not sent that has not been added.
    void drop(Delivery delivery) {
        if (!closed) {
            taken(delivery);
        }
    }

    private void discard(Predicate<Delivery> which) {
        waiting.removeIf(one -> {
            boolean leaves = which.test(one);
            if (leaves) {
                taken(one);
            }
            return leaves;
        });
    }

    /// The connection has gone.
    void close() {
        closed = true;
        waiting.clear();
        if (flight.close()) {
            storage.resume(flight);
        }
    }
}
