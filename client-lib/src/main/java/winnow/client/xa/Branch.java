package winnow.client.xa;

import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.error.ErrorCodes;
import winnow.client.link.Current;
import winnow.client.transport.WireSession;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.BranchEnd;
import winnow.wire.DeliveryRanges;
import winnow.wire.Xid;
import winnow.wire.frame.EndBranch;

/// One branch of a distributed transaction: the sessions of one connection that work for it. Its
/// state is guarded by its [Branches].
public final class Branch {
    /// Progress of a branch.
    enum State {
        /// Sessions work for it, or have done so.
        WORKING,

        /// A thread waits for the broker to end its work.
        ENDING,

        /// It waits for the decision.
        PREPARED
    }

    private final Xid xid;
    private final Branches owner;
    private final ReentrantLock lock = new ReentrantLock();

    /// Guarded by the lock.
    private final Set<BranchWork> works = new LinkedHashSet<>();

    /// Guarded by the lock.
    private @Nullable WireSession publishing;

    /// The sessions that work for it now, and those that have interrupted that.
    final Set<BranchWork> active = new LinkedHashSet<>();

    final Set<BranchWork> suspended = new LinkedHashSet<>();
    State state = State.WORKING;

    /// True if it can only be rolled back.
    boolean failed;

    /// Outcome that the broker may have given it without saying so, null if there is none.
    @Nullable BranchEnd inDoubt;

    Branch(Xid xid, Branches owner) {
        this.xid = xid;
        this.owner = owner;
    }

    Xid xid() {
        return xid;
    }

    void add(BranchWork work) {
        lock.lock();
        try {
            works.add(work);
        } finally {
            lock.unlock();
        }
    }

    /// The sessions that have worked for it.
    List<BranchWork> works() {
        lock.lock();
        try {
            return List.copyOf(works);
        } finally {
            lock.unlock();
        }
    }

    /// The session at the broker that its messages are published in, begun if it is not. If the
    /// broker has refused that or its connection is lost, the messages before are lost, and the
    /// branch cannot be prepared.
    ///
    /// @throws JMSException if they are lost
    /// @throws TransportException if the broker offers none
    WireSession publishing(Current now) throws JMSException, TransportException {
        lock.lock();
        try {
            WireSession known = publishing;
            if (known == null) {
                known = owner.beginPublishing(now);
                publishing = known;
            }
            if (!known.isOn(now.wire())) {
                throw new TransactionRolledBackException(
                        "the connection to the broker was lost, and with it what was sent in"
                                + " transaction "
                                + xid,
                        ErrorCodes.CONNECTION_LOST);
            }
            known.requireBegun();
            return known;
        } finally {
            lock.unlock();
        }
    }

    /// Tells if its messages are lost with their connection.
    boolean isLost() {
        lock.lock();
        try {
            return publishing != null && publishing.isGone();
        } finally {
            lock.unlock();
        }
    }

    /// Takes the session out that its messages were published in; null if there is none.
    @Nullable WireSession takePublishing() {
        lock.lock();
        try {
            WireSession taken = publishing;
            publishing = null;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /// Number of that session, 0 if there is none.
    int publishingNumber() {
        lock.lock();
        try {
            return publishing == null ? 0 : publishing.number();
        } finally {
            lock.unlock();
        }
    }

    /// Messages that its sessions have received and the broker keeps.
    List<EndBranch.Part> received() {
        List<EndBranch.Part> parts = new ArrayList<>();
        for (BranchWork work : works()) {
            DeliveryRanges deliveries = work.received(this);
            if (!deliveries.isEmpty()) {
                parts.add(new EndBranch.Part(work.number(), deliveries));
            }
        }
        return parts;
    }
}
