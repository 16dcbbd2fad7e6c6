package winnow.client.xa;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionInProgressException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import winnow.client.acknowledge.Acknowledging;
import winnow.client.acknowledge.DeliveryLedger;
import winnow.client.acknowledge.PrefetchConsumer;
import winnow.client.acknowledge.SessionWork;
import winnow.client.acknowledge.UnacknowledgedMemory;
import winnow.client.link.BrokerSession;
import winnow.client.link.Current;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.Answer;
import winnow.client.transport.WireSession;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;

/// The work of a session in the branches of distributed transactions, one after the other. Outside
/// of them its messages are sent and acknowledged at once, as in AUTO_ACKNOWLEDGE. Thread-safe: a
/// transaction manager may end a branch in a thread of its own.
public final class BranchWork implements SessionWork {
    private final BrokerSession channel;
    private final Iterable<? extends PrefetchConsumer> consumers;
    private final UnacknowledgedMemory memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final BranchPart outside;
    private final Acknowledging live = new Routed(BranchPart::live);
    private final Acknowledging stored = new Routed(BranchPart::stored);

    /// Of the branches that are not ended.
    private final Map<Branch, BranchPart> parts = new LinkedHashMap<>();

    private volatile @Nullable Branch current;

    /// Part to which the message belongs that a listener has.
    private BranchPart delivering;

    private boolean closed;

    public BranchWork(
            BrokerSession channel,
            Iterable<? extends PrefetchConsumer> consumers,
            UnacknowledgedMemory memory) {
        this.channel = channel;
        this.memory = memory;
        this.consumers = consumers;
        outside = BranchPart.outside(channel, consumers);
        delivering = outside;
    }

    /// Begins to work, or goes on, in a branch.
    ///
    /// @return false if it works in one already
    boolean enter(Branch branch) {
        lock.lock();
        try {
            if (current != null) {
                return false;
            }
            parts.computeIfAbsent(branch, key -> BranchPart.inBranch(channel, consumers, memory));
            branch.add(this);
            current = branch;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Works in the branch no more, if it does.
    void leave(Branch branch) {
        lock.lock();
        try {
            if (branch.equals(current)) {
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private BranchPart part() {
        Branch branch = current;
        BranchPart found = branch == null ? null : parts.get(branch);
        return found == null ? outside : found;
    }

    private BranchPart part(Branch branch) {
        return parts.getOrDefault(branch, outside);
    }

    /// Number of the session at the broker, 0 if there is none.
    int number() {
        WireSession known = channel.known();
        return known == null ? 0 : known.number();
    }

    /// Messages that it has received in a branch and the broker keeps.
    DeliveryRanges received(Branch branch) {
        lock.lock();
        try {
            return part(branch).stored().ledger().all();
        } finally {
            lock.unlock();
        }
    }

    /// The broker was asked to end a branch.
    void onAsked(Branch branch, Answer answer) {
        lock.lock();
        try {
            part(branch).stored().onAsked(answer, received(branch));
        } finally {
            lock.unlock();
        }
    }

    /// The broker has taken what was received in a branch.
    void onTaken(Branch branch) {
        lock.lock();
        try {
            part(branch).stored().onTaken();
        } finally {
            lock.unlock();
        }
    }

    /// A branch was committed, or had nothing to commit.
    void onCommitted(Branch branch) throws JMSException {
        lock.lock();
        try {
            if (parts.containsKey(branch)) {
                part(branch).live().acknowledge();
                end(branch);
            }
        } finally {
            lock.unlock();
        }
    }

    /// A branch is rolled back: gives back what was received, if that does not touch other work of
    /// the session.
    ///
    /// @return what is left to be given back
    /// @throws JMSException if the broker does not answer
    DeliveryRanges giveBack(Branch branch) throws JMSException {
        lock.lock();
        try {
            DeliveryRanges received = received(branch);
            boolean alone =
                    outside.stored().ledger().isEmpty()
                            && parts.keySet().stream()
                                    .filter(other -> !other.equals(branch))
                                    .allMatch(other -> received(other).isEmpty());
            if (received.isEmpty() || !alone) {
                return received;
            }
            part(branch).stored().giveBack(channel.known());
            return DeliveryRanges.NONE;
        } finally {
            lock.unlock();
        }
    }

    /// A branch was rolled back.
    void onRolledBack(Branch branch) throws JMSException {
        lock.lock();
        try {
            if (parts.containsKey(branch)) {
                part(branch).stored().onGivenBack();
                part(branch).live().recover();
                end(branch);
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(Branch branch) {
        leave(branch);
        parts.remove(branch);
        if (closed && parts.isEmpty()) {
            var unused = channel.end(DeliveryRanges.NONE);
        }
    }

    @Override
    public Acknowledging live() {
        return live;
    }

    @Override
    public Acknowledging stored() {
        return stored;
    }

    @Override
    public boolean isTransacted() {
        return current != null;
    }

    @Override
    public boolean isDistributed() {
        return true;
    }

    @Override
    public int onPublish(Current now) throws JMSException, TransportException {
        Branch branch = current;
        return branch == null ? 0 : branch.publishing(now).number();
    }

    @Override
    public void forgetLost() {
        outside.stored().forgetLost();
    }

    @Override
    public void onLost() {
        lock.lock();
        try {
            outside.stored().onLost();
            parts.values().forEach(part -> part.stored().onLost());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void commit() throws JMSException {
        throw managed();
    }

    @Override
    public void rollback() throws JMSException {
        throw managed();
    }

    private static JMSException managed() {
        return new TransactionInProgressException(
                "a transaction manager commits and rolls back what this session does");
    }

    @Override
    public void acknowledgeLate() {
        outside.stored().acknowledgeLate();
    }

    @Override
    public DeliveryRanges unacknowledged() {
        return those(delivered -> true);
    }

    @Override
    public DeliveryRanges unacknowledged(PrefetchConsumer consumer) {
        return those(delivered -> delivered.consumer().equals(consumer));
    }

    private DeliveryRanges those(Predicate<DeliveryLedger.Delivered> which) {
        lock.lock();
        try {
            LongStream ids = LongStream.of(outside.stored().ledger().ids(which));
            for (BranchPart part : parts.values()) {
                ids = LongStream.concat(ids, LongStream.of(part.stored().ledger().ids(which)));
            }
            return DeliveryRanges.of(ids.toArray());
        } finally {
            lock.unlock();
        }
    }

    /// Leaves branches that are not ended to the transaction manager: the session ends with the
    /// last of them (Jakarta Messaging 3.1, 6.1.8).
    @Override
    public boolean onClose() {
        lock.lock();
        try {
            closed = true;
            return parts.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Tells the part that the session works for at the moment.
    private final class Routed implements Acknowledging {
        private final Function<BranchPart, Acknowledging> kind;

        Routed(Function<BranchPart, Acknowledging> kind) {
            this.kind = kind;
        }

        @Override
        public void onDelivery(PrefetchConsumer consumer, WinnowMessage message) {
            lock.lock();
            try {
                delivering = part();
                kind.apply(delivering).onDelivery(consumer, message);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onReceived(PrefetchConsumer consumer, WinnowMessage message) {
            lock.lock();
            try {
                kind.apply(part()).onReceived(consumer, message);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onExpired(PrefetchConsumer consumer, WinnowMessage message) {
            lock.lock();
            try {
                kind.apply(part()).onExpired(consumer, message);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onListenerReturn(
                PrefetchConsumer consumer, WinnowMessage message, boolean failed) {
            lock.lock();
            try {
                kind.apply(delivering).onListenerReturn(consumer, message, failed);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onUnusableBody(PrefetchConsumer consumer, WinnowMessage message) {
            lock.lock();
            try {
                kind.apply(part()).onUnusableBody(consumer, message);
            } finally {
                lock.unlock();
            }
        }

        /// The end of a branch acknowledges what was received in it; the rest is acknowledged.
        @Override
        public void acknowledge() {}

        @Override
        public void recover() throws JMSException {
            throw managed();
        }

        @Override
        public void onClosed(PrefetchConsumer consumer) {
            lock.lock();
            try {
                kind.apply(outside).onClosed(consumer);
                parts.values().forEach(part -> kind.apply(part).onClosed(consumer));
            } finally {
                lock.unlock();
            }
        }
    }
}
