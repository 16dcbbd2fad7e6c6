package winnow.broker.session;

import winnow.broker.storage.Storage;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.LiveBody;

/// The body of a message in parts to a topic, for live subscriptions. Thread-safe.
final class PublishedBody extends LiveBody {
    private final PartsPublish parts;
    private final Storage storage;
    private final BacklogMemory memory;

    /// @param parts in the storage
    PublishedBody(PartsPublish parts, int bytes, SessionContext context) {
        super(bytes);
        this.parts = parts;
        this.storage = context.storage();
        this.memory = context.backlogMemory();
    }

    /// It begins to come. Once.
    void charge() {
        memory.addBody(bytes());
    }

    /// The parts; for the shard's thread.
    PartsPublish parts() {
        return parts;
    }

    @Override
    protected void onUnneeded() {
        storage.execute(shard -> {
            parts.cancel(shard);
            memory.addBody(-bytes());
        });
    }
}
