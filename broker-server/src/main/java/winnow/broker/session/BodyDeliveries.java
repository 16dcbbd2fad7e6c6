package winnow.broker.session;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.broker.session.StoredDeliveries.Delivery;
import winnow.broker.shard.Shard;
import winnow.broker.storage.Flight;
import winnow.broker.storage.PartStream;
import winnow.broker.subscription.BodyStreams;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Subscription;

/// The messages in parts on their way from the storage to the live subscriptions of one connection.
/// Owned by the connection's event loop.
final class BodyDeliveries implements BodyStreams {
    /// Messages on their way at the same time: each has a copy of what comes before its body.
    private static final int MOST = 8;

    private final StorageCommands commands;
    private final StoredDeliveries deliveries;
    private final Flight flight;

    /// One at most for each subscription.
    private final Map<Subscription, Stream> streams = new HashMap<>();

    /// Subscriptions whose next message begins when another has ended, in their order.
    private final Set<Subscription> waiting = new LinkedHashSet<>();

    /// @param flight of the connection
    BodyDeliveries(StorageCommands commands, StoredDeliveries deliveries, Flight flight) {
        this.commands = commands;
        this.deliveries = deliveries;
        this.flight = flight;
    }

    @Override
    public boolean takes(Subscription subscription) {
        if (streams.size() < MOST) {
            return true;
        }
        waiting.add(subscription);
        return false;
    }

    private void onEnded() {
        Iterator<Subscription> first = waiting.iterator();
        if (streams.size() < MOST && first.hasNext()) {
            Subscription next = first.next();
            first.remove();
            next.onWritable();
        }
    }

    @Override
    public void begin(Subscription subscription, byte[] head, int maxNameId, LiveBody body) {
        if (!(body instanceof PublishedBody published)) {
            throw new IllegalArgumentException("a body of another kind: " + body);
        }
        Delivery first = Delivery.live(subscription.id(), head, body.bytes(), maxNameId);
        Stream begun = new Stream(subscription, first, published.parts());
        streams.put(subscription, begun);
        commands.execute(begun::open);
    }

    @Override
    public void end(Subscription subscription) {
        waiting.remove(subscription);
        Stream ended = streams.remove(subscription);
        if (ended != null) {
            ended.over = true;
            deliveries.discardLive(subscription.id());
            commands.execute(_ -> ended.stop());
            onEnded();
        }
    }

    /// One message on its way. What the storage tells runs on the connection's loop, unless the
    /// subscription has ended by then.
    private final class Stream implements PartStream.Receiver {
        private final Subscription subscription;

        /// The frame that comes before the parts.
        private final Delivery first;

        private final PartsPublish source;

        /// Owned by the shard's thread.
        private @Nullable PartStream parts;

        private boolean stopped;

        /// Owned by the event loop.
        private boolean over;

        private boolean begun;

        Stream(Subscription subscription, Delivery first, PartsPublish source) {
            this.subscription = subscription;
            this.first = first;
            this.source = source;
        }

        /// Shard's thread.
        void open(Shard shard) {
            source.whenReadable(() -> begin(shard));
        }

        private void begin(Shard shard) {
            int count = source.parts(shard);
            if (stopped) {
                return;
            }
            if (count == 0) {
                onCut();
                return;
            }
            PartStream opened =
                    new PartStream(
                            shard,
                            (part, receiver) -> source.read(shard, part, receiver),
                            count,
                            flight,
                            this);
            parts = opened;
            opened.proceed();
        }

        /// Shard's thread.
        void stop() {
            stopped = true;
            if (parts != null) {
                parts.stop();
                flight.forget(parts);
            }
        }

        @Override
        public void onPart(byte[] part) {
            commands.reply(
                    part.length,
                    () -> {
                        subscription.onBodyPart(part.length);
                        add(Delivery.part(0, subscription.id(), part));
                    });
        }

        private void add(Delivery part) {
            if (over) {
                deliveries.drop(part);
                return;
            }
            if (!begun) {
                begun = true;
                deliveries.add(first);
            }
            deliveries.add(part);
        }

        @Override
        public void onComplete() {
            commands.reply(() -> end(subscription::onBodyEnd));
        }

        @Override
        public void onCut() {
            commands.reply(() -> {
                if (begun && !over) {
                    deliveries.add(Delivery.cut(0, subscription.id()));
                }
                end(subscription::onBodyGone);
            });
        }

        /// @param then run when the output has all that was added
        private void end(Runnable then) {
            if (!over) {
                deliveries.add(
                        Delivery.end(
                                subscription.id(),
                                () -> {
                                    over = true;
                                    streams.remove(subscription, this);
                                    then.run();
                                    onEnded();
                                }));
            }
        }
    }
}
