package winnow.client.xa;

import jakarta.jms.Session;
import winnow.client.acknowledge.Acknowledging;
import winnow.client.acknowledge.AutoAcknowledging;
import winnow.client.acknowledge.ClientAcknowledging;
import winnow.client.acknowledge.PrefetchConsumer;
import winnow.client.acknowledge.StoredAcknowledging;
import winnow.client.acknowledge.UnacknowledgedMemory;
import winnow.client.link.BrokerSession;

/// Messages that one session has received in one branch of a distributed transaction, or outside of
/// all of them. Guarded by its [BranchWork].
final class BranchPart {
    private final StoredAcknowledging stored;
    private final Acknowledging live;

    private BranchPart(StoredAcknowledging stored, Acknowledging live) {
        this.stored = stored;
        this.live = live;
    }

    /// A part that is acknowledged when its branch is committed.
    static BranchPart inBranch(
            BrokerSession channel,
            Iterable<? extends PrefetchConsumer> consumers,
            UnacknowledgedMemory memory) {
        return new BranchPart(
                new StoredAcknowledging(channel, consumers, Session.SESSION_TRANSACTED),
                new ClientAcknowledging(AutoAcknowledging.MAX_DELIVERIES, memory));
    }

    /// A part that is acknowledged at once.
    static BranchPart outside(
            BrokerSession channel, Iterable<? extends PrefetchConsumer> consumers) {
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
