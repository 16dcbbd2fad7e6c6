package winnow.client;

import jakarta.jms.Session;

/// What one session has received in one branch of a distributed transaction, or outside of all of
/// them. Guarded by its [BranchWork].
final class BranchPart {
    private final StoredAcknowledging stored;
    private final Acknowledging live;

    private BranchPart(StoredAcknowledging stored, Acknowledging live) {
        this.stored = stored;
        this.live = live;
    }

    /// A part that is acknowledged when its branch is committed.
    static BranchPart inBranch(
            SessionChannel channel,
            Iterable<WinnowConsumer> consumers,
            UnacknowledgedMemory memory) {
        return new BranchPart(
                new StoredAcknowledging(channel, consumers, Session.SESSION_TRANSACTED),
                new ClientAcknowledging(AutoAcknowledging.MAX_DELIVERIES, memory));
    }

    /// What is acknowledged at once.
    static BranchPart outside(SessionChannel channel, Iterable<WinnowConsumer> consumers) {
        return new BranchPart(
                new StoredAcknowledging(channel, consumers, Session.AUTO_ACKNOWLEDGE),
                new AutoAcknowledging());
    }

    /// Messages that the broker keeps.
    StoredAcknowledging stored() {
        return stored;
    }

    /// Messages that the broker does not keep.
    Acknowledging live() {
        return live;
    }
}
