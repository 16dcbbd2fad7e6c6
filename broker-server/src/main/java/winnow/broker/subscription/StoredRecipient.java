package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;
import winnow.broker.shard.DelayedFrom;

/// A subscription whose messages are kept: a message that it matches names it in what is stored.
/// Does not change once its topic has it; the same subscription is the same object.
public final class StoredRecipient extends Recipient {
    private final int id;
    private final String name;
    private final String client;
    private final String unwantedClientId;

    /// @param id of the subscription in its shard
    /// @param name of the subscription, for which users have permissions
    /// @param client who it is, for people
    /// @param unwantedClientId client identifier of producers whose messages stay away; empty for
    ///   none
    public StoredRecipient(int id, String name, String client, String unwantedClientId) {
        this.id = id;
        this.name = name;
        this.client = client;
        this.unwantedClientId = unwantedClientId;
    }

    /// The subscription's number in its shard.
    public int id() {
        return id;
    }

    /// Name of the subscription.
    public String name() {
        return name;
    }

    /// True if it wants all messages, whoever sent them when.
    public boolean wantsAll() {
        return unwantedClientId.isEmpty() && delayedFrom().equals(DelayedFrom.ALL);
    }

    @Override
    public boolean wants(@Nullable Publisher producer) {
        boolean unwanted =
                !unwantedClientId.isEmpty()
                        && producer != null
                        && producer.clientId().equals(unwantedClientId);
        return !unwanted && existedFor(producer);
    }

    @Override
    public String client() {
        return client;
    }

    /// The shard knows what waits.
    @Override
    public long backlogBytes() {
        return 0;
    }
}
