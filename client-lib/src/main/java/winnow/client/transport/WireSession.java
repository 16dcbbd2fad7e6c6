package winnow.client.transport;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.Ask;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.GiveBack;
import winnow.wire.frame.Mark;
import winnow.wire.frame.Recover;
import winnow.wire.frame.Reject;

/// A session of one connection: a channel whose consumers acknowledge what they get (docs/PROTOCOL,
/// section 4). It is begun when it is made, and the frames that follow do not wait for that.
///
/// Thread-safe. Who reads the socket owns [#lastDelivery].
public final class WireSession {
    private final WireConnection connection;
    private final SessionNumbers numbers;
    private final int number;
    private final CompletableFuture<@Nullable Void> begun;

    /// Id of the last delivery that has come.
    private long lastDelivery;

    /// Deliveries with smaller ids are void: the broker has taken them back. Beyond all ids while
    /// the broker has not said that it has.
    private volatile long firstValid;

    private WireSession(
            WireConnection connection, SessionNumbers numbers, int number, boolean transacted) {
        this.connection = connection;
        this.numbers = numbers;
        this.number = number;
        begun =
                connection
                        .requests()
                        .send(request -> new BeginSession(request, number, transacted));
    }

    static WireSession begin(WireConnection connection, SessionNumbers numbers, boolean transacted)
            throws TransportException {
        return new WireSession(connection, numbers, numbers.take(), transacted);
    }

    /// One that only publishes, in the branches of distributed transactions.
    static WireSession beginPublishing(WireConnection connection, SessionNumbers numbers)
            throws TransportException {
        return new WireSession(connection, numbers, numbers.takeNext(), true);
    }

    /// The number that the broker knows it by.
    public int number() {
        return number;
    }

    /// True if the broker has refused to begin it, or the connection was lost before.
    public boolean isRefused() {
        return begun.isCompletedExceptionally();
    }

    /// Tells if it belongs to that connection.
    public boolean isOn(WireConnection other) {
        return connection.equals(other);
    }

    /// Tells if its connection has ended, and the session with it.
    public boolean isGone() {
        return connection.hasEnded();
    }

    /// Does not wait.
    ///
    /// @throws TransportException why the broker has refused to begin it, if it has
    public void requireBegun() throws TransportException {
        if (isRefused()) {
            connection.requests().await(begun, "BeginSession");
        }
    }

    /// Asks for a consumer; its messages go to `target` from now on.
    ///
    /// @param seen asked when the consumer ends: the deliveries of it that the application has
    ///   received and not acknowledged
    /// @return the consumer, which the broker has not accepted yet
    /// @throws TransportException if the connection has as many as it can have
    public WireSubscription consume(
            ConsumerTerms terms, DeliveryReceiver target, Supplier<DeliveryRanges> seen)
            throws TransportException {
        DeliveryReceiver valid = new ValidDeliveries(target);
        int id = connection.subscriptions().add(valid);
        CompletableFuture<@Nullable Void> accepted =
                send(request -> consumeFrame(request, id, terms));
        return new WireSubscription(
                connection,
                id,
                terms.source().destination(),
                valid,
                begun.thenCombine(accepted, (first, second) -> null),
                request -> new EndConsumer(request, id, seen.get().parts().get(0)));
    }

    private Consume consumeFrame(int request, int id, ConsumerTerms terms) {
        return new Consume(
                request,
                id,
                number,
                terms.role(),
                terms.source(),
                terms.subscription(),
                terms.noLocal(),
                terms.creditMessages(),
                terms.creditBytes());
    }

    /// True if the broker has taken a delivery back, so that it must not be used.
    public boolean isVoid(long delivery) {
        return delivery != 0 && delivery < firstValid;
    }

    /// The connection is gone: the broker takes everything back that is not acknowledged.
    public void onLost() {
        firstValid = Long.MAX_VALUE;
    }

    /// Acknowledges a delivery with the next frames that leave. Does not wait.
    public void acknowledgeSoon(long delivery) {
        connection.output().acknowledge(number, delivery);
    }

    /// Tells that the application is about to get a message, so that this counts even if the
    /// process ends next: when this returns, the socket has it, unless it takes no more. An older
    /// broker is told nothing.
    public void markSeen(long delivery) {
        if (!knowsRecall()) {
            return;
        }
        connection.writeQuietly(new Mark(number, Mark.Fate.SEEN, delivery));
        connection.output().socket().writeNow();
    }

    /// Ends a delivery that has expired before the application could get it. Does not wait. For an
    /// older broker it is acknowledged.
    public void markExpired(long delivery) {
        if (knowsRecall()) {
            connection.writeQuietly(new Mark(number, Mark.Fate.EXPIRED, delivery));
        } else {
            acknowledgeSoon(delivery);
        }
    }

    /// Acknowledges deliveries, as many as one frame can have. Does not wait.
    ///
    /// @return comes when that is on the broker's disk; without deliveries, when all has come that
    ///   the broker can deliver now
    public Answer acknowledge(DeliveryRanges deliveries) {
        return answer(request -> new Acknowledge(request, number, deliveries), "Acknowledge");
    }

    /// Makes publishes and acknowledgements take effect. Does not wait.
    ///
    /// @param transaction its name, empty for none
    /// @return comes when that is on the broker's disk
    /// @throws TransportException if there are more ranges of deliveries than one frame can have
    public Answer commit(String transaction, DeliveryRanges deliveries) throws TransportException {
        checkRanges(deliveries.count());
        return answer(request -> new Commit(request, number, transaction, deliveries), "Commit");
    }

    private Answer answer(IntFunction<ControlFrame> frame, String request) {
        return new Answer(connection.requests(), begun, send(frame), request);
    }

    /// @throws TransportException if a transaction would acknowledge more ranges of deliveries than
    ///   one frame can have
    public static void checkRanges(int ranges) throws TransportException {
        if (ranges > DeliveryRanges.MAX_RANGES) {
            throw new TransportException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "expected a transaction that acknowledges at most "
                            + DeliveryRanges.MAX_RANGES
                            + " ranges of deliveries, found "
                            + ranges
                            + ": use another session for the consumers that receive nothing");
        }
    }

    /// Gives everything back that is not acknowledged, and forgets what was published and not
    /// committed. What has come so far is void when this returns, and so is what comes until the
    /// broker has answered.
    ///
    /// @param failed what the application has received
    /// @throws TransportException if the broker refuses or does not answer
    public void recover(DeliveryRanges failed) throws TransportException {
        firstValid = Long.MAX_VALUE;
        CompletableFuture<@Nullable Void> answer =
                connection
                        .requests()
                        .send(
                                request -> new Recover(request, number, failed.parts().get(0)),
                                () -> firstValid = lastDelivery + 1);
        connection.requests().awaitAll(List.of(begun, answer), "Recover");
    }

    /// True if the broker knows [#ask], [#giveBack] and what they are for, and marks.
    public boolean knowsRecall() {
        return connection.knowsRecall();
    }

    /// Asks for what other consumers than this one were sent ahead. Does not wait.
    ///
    /// @return the answer; a refusal names the limit because of which nothing can come
    public CompletableFuture<@Nullable Void> ask(WireSubscription waiting) {
        return send(request -> new Ask(request, waiting.id()));
    }

    /// Gives back what a consumer was sent, and its credit. Does not wait.
    ///
    /// @param seen what of it the application has received
    /// @param onDone gets, where the socket is read, the id below which its deliveries are void
    public CompletableFuture<@Nullable Void> giveBack(
            WireSubscription giving, DeliveryRanges seen, LongConsumer onDone) {
        return connection
                .requests()
                .send(
                        request -> new GiveBack(request, giving.id(), seen),
                        () -> onDone.accept(lastDelivery + 1));
    }

    /// Ends it, without waiting.
    ///
    /// @param seen what the application has received and not acknowledged
    /// @return the answer
    public CompletableFuture<@Nullable Void> end(DeliveryRanges seen) {
        return send(request -> new EndSession(request, number, seen.parts().get(0)))
                .whenComplete((none, failure) -> numbers.free(number));
    }

    private CompletableFuture<@Nullable Void> send(IntFunction<ControlFrame> frame) {
        return connection.requests().send(frame);
    }

    /// Lets through what is not void.
    private final class ValidDeliveries implements DeliveryReceiver {
        private final DeliveryReceiver target;

        /// Of the message in parts that is coming, 0 if it is void or there is none.
        private long inParts;

        ValidDeliveries(DeliveryReceiver target) {
            this.target = target;
        }

        @Override
        public void onDelivery(byte[] block, int deliveryCount, int frameBytes) {
            target.onDelivery(block, deliveryCount, frameBytes);
        }

        @Override
        public void onStoredDelivery(byte[] block, long delivery, int earlierDeliveries) {
            lastDelivery = Math.max(lastDelivery, delivery);
            if (!isVoid(delivery)) {
                target.onStoredDelivery(block, delivery, earlierDeliveries);
            }
        }

        @Override
        public boolean onDeliveryInParts(
                byte[] head, long delivery, int earlierDeliveries, int bodyBytes) {
            lastDelivery = Math.max(lastDelivery, delivery);
            inParts = isVoid(delivery) ? 0 : delivery;
            if (!isVoid(delivery)
                    && !target.onDeliveryInParts(head, delivery, earlierDeliveries, bodyBytes)) {
                reject(delivery);
            }
            return true;
        }

        @Override
        public boolean onDeliveryPart(byte[] array, int start, int end) {
            if (inParts != 0 && isVoid(inParts)) {
                onDeliveryCut();
            }
            if (inParts != 0 && !target.onDeliveryPart(array, start, end)) {
                reject(inParts);
            }
            return true;
        }

        @Override
        public void onSkipped(long delivery, int frameBytes) {
            lastDelivery = Math.max(lastDelivery, delivery);
            if (!isVoid(delivery)) {
                target.onSkipped(delivery, frameBytes);
                reject(delivery);
            }
        }

        /// Drops what has come of it.
        private void reject(long delivery) {
            inParts = 0;
            if (!knowsRecall()) {
                throw new WireException(
                        ErrorCode.INTERNAL_ERROR,
                        "a message does not fit here (options maxMessageBytes and"
                                + " largeMessageDisk), and this broker does not take it back");
            }
            connection.writeQuietly(new Reject(number, DeliveryRanges.of(delivery)));
        }

        @Override
        public void onDeliveryCut() {
            inParts = 0;
            target.onDeliveryCut();
        }

        @Override
        public void onRecall() {
            target.onRecall();
        }

        @Override
        public void onBrowseEnd() {
            target.onBrowseEnd();
        }

        @Override
        public void onBatchEnd() {
            target.onBatchEnd();
        }

        @Override
        public boolean isReader() {
            return target.isReader();
        }

        @Override
        public void onLent() {
            target.onLent();
        }
    }
}
