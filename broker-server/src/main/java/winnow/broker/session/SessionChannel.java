package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.broker.budget.TransactionMemory;
import winnow.broker.destination.Destination;
import winnow.broker.matching.RefusedException;
import winnow.broker.storage.StoredSession;

/// One session of a connection: what it has published and not committed. Owned by the connection's
/// event loop, but for [#stored].
final class SessionChannel {
    private final int number;
    private final boolean transacted;
    private final TransactionMemory memory;
    private final String owner;
    private List<TransactedMessage> published = new ArrayList<>();
    private long publishedBytes;

    /// Of [TransactionMemory] that these have, or more.
    private long chargedBytes;

    private long transaction;
    private @Nullable RefusedException refusal;

    /// Belongs to the shard's thread, set by the first command there.
    @Nullable StoredSession stored;

    /// @param owner user or address whose share of memory its transactions take
    SessionChannel(int number, boolean transacted, TransactionMemory memory, String owner) {
        this.owner = owner;
        this.number = number;
        this.transacted = transacted;
        this.memory = memory;
    }

    int number() {
        return number;
    }

    boolean transacted() {
        return transacted;
    }

    /// The session on the shard's thread. Only there.
    StoredSession stored() {
        StoredSession known = stored;
        if (known == null) {
            throw new IllegalStateException("session " + number + " has not begun");
        }
        return known;
    }

    /// Number of its transaction: another one when it has been taken out or the session has ended.
    long transaction() {
        return transaction;
    }

    /// Memory for a message of its transaction.
    ///
    /// @param maxTransactionBytes that the transaction may hold
    /// @throws RefusedException if there is none
    void charge(int blockBytes, long maxTransactionBytes) {
        long more = TransactedMessage.chargedBytes(blockBytes);
        long spare = chargedBytes - publishedBytes;
        chargedBytes += memory.charge(owner, publishedBytes, spare, more, maxTransactionBytes);
        publishedBytes += more;
    }

    /// A message becomes part of its transaction; its memory has been charged.
    void add(TransactedMessage message) {
        published.add(message);
    }

    /// Destinations of the messages of its transaction; their handles may be closed.
    Set<Destination> destinations() {
        return published.stream().map(TransactedMessage::destination).collect(Collectors.toSet());
    }

    /// A message of its transaction was refused, so that it cannot be committed.
    void refuse(RefusedException why) {
        if (refusal == null) {
            refusal = why;
        }
    }

    /// Reason why its transaction cannot be committed, null if it can.
    @Nullable RefusedException refusal() {
        return refusal;
    }

    /// Messages that a transaction publishes. Owned by the connection's event loop.
    static final class Transaction {
        private final List<TransactedMessage> messages;
        private final String owner;

        private long bytes;

        /// Of [TransactionMemory] that it has.
        private long charged;

        private Transaction(
                List<TransactedMessage> messages, String owner, long bytes, long charged) {
            this.messages = messages;
            this.owner = owner;
            this.bytes = bytes;
            this.charged = charged;
        }

        /// One that publishes nothing.
        static Transaction none() {
            return new Transaction(List.of(), "", 0, 0);
        }

        List<TransactedMessage> messages() {
            return messages;
        }

        /// Gives its memory back.
        void release(TransactionMemory memory) {
            memory.giveBack(owner, charged);
        }

        /// Memory for the recipients of its messages, which are found when it is committed.
        ///
        /// @throws RefusedException if there is none
        void charge(TransactionMemory memory, long moreBytes, long maxTransactionBytes) {
            charged += memory.charge(owner, bytes, charged - bytes, moreBytes, maxTransactionBytes);
            bytes += moreBytes;
        }
    }

    /// Takes the transaction out, with its memory: the session begins the next one.
    Transaction take() {
        Transaction taken = new Transaction(published, owner, publishedBytes, chargedBytes);
        published = new ArrayList<>();
        publishedBytes = 0;
        chargedBytes = 0;
        refusal = null;
        transaction++;
        return taken;
    }
}
