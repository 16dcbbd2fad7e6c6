package winnow.broker.session;

import org.jspecify.annotations.Nullable;
import winnow.broker.budget.MetadataAccount;
import winnow.broker.matching.RefusedException;
import winnow.broker.shard.InstanceKey;
import winnow.broker.shard.Instances;
import winnow.broker.shard.PublishedNumbers;
import winnow.broker.shard.Shard;
import winnow.wire.ErrorCode;

/// Tells the storage which publishes of a connection were taken, so that the client may send the
/// others again on its next one. Does nothing for a client that cannot come back. Owned by the
/// connection's event loop but for what is said to be the shard's.
///
/// A message that goes to the storage brings the numbers before it along that were handed to live
/// subscriptions or to transactions: so these cost nothing, and leave no gaps.
final class PublishNumbers {
    private final SessionContext context;
    private final MetadataAccount account;
    private final StorageCommands commands;

    /// Null for a client that cannot come back. Set before the first publish.
    private @Nullable InstanceKey key;

    private PublishedNumbers before = PublishedNumbers.none();

    /// The lowest number that the storage has not been told of.
    private long first = 1;

    PublishNumbers(SessionContext context, MetadataAccount account, StorageCommands commands) {
        this.context = context;
        this.account = account;
        this.commands = commands;
    }

    /// The handshake is done.
    ///
    /// @param lastNumber of the earlier connections
    /// @param newBefore what was taken of these
    void resume(InstanceKey newKey, long lastNumber, PublishedNumbers newBefore) {
        key = newKey;
        first = lastNumber + 1;
        before = newBefore;
    }

    /// True if a publish that is sent again was taken on an earlier connection.
    ///
    /// @param number 0 if it is not sent again
    /// @throws RefusedException if that is not known any more
    boolean wasTaken(long number) {
        if (number == 0) {
            return false;
        }
        return switch (before.answer(number)) {
            case TAKEN -> true;
            case NOT_TAKEN -> false;
            case FORGOTTEN ->
                    throw new RefusedException(
                            ErrorCode.IN_DOUBT,
                            "it is not known any more whether publish "
                                    + number
                                    + " of the client was taken on an earlier connection");
        };
    }

    /// A message goes to the storage.
    ///
    /// @param number 0 if it is not to be confirmed
    /// @return the lowest number that it brings along, 0 if it brings none
    long firstWith(long number) {
        if (key == null || number == 0) {
            return 0;
        }
        if (number < first) {
            return number;
        }
        long with = first;
        first = number + 1;
        return with;
    }

    /// A message was refused, or comes to the storage later than others: it brings none along.
    ///
    /// @param number 0 if it is not to be confirmed
    void pass(long number) {
        if (key != null && number >= first) {
            long from = first;
            first = number + 1;
            if (from < number) {
                commands.execute(shard -> onTaken(shard, from, number - 1, false));
            }
        }
    }

    /// A message went to live subscriptions alone.
    ///
    /// @param number 0 if it is not to be confirmed
    void onLive(long number) {
        // Others go along with the next message for the storage.
        if (key != null && number > 0 && number < first) {
            commands.execute(shard -> onTaken(shard, number, number, false));
        }
    }

    /// Publishes were taken. Shard's thread.
    ///
    /// @param from 0 if there is nothing to be told
    /// @param stored whether the log gets one of them
    void onTaken(Shard shard, long from, long to, boolean stored) {
        Instances instances = shard.sentAgain().instances();
        if (key != null && from > 0 && from <= to) {
            instances.add(key, account.owner(), from, to, stored);
        }
    }

    /// The connection has gone.
    ///
    /// @param last number of which it is settled what becomes of it
    void close(long last) {
        long from = first;
        if (key != null && from <= last) {
            context.storage().execute(shard -> onTaken(shard, from, last, false));
        }
    }
}
