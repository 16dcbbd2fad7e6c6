package winnow.client.xa;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import winnow.client.error.XAErrors;
import winnow.client.link.BrokerLink;
import winnow.client.link.Current;
import winnow.client.transport.Answer;
import winnow.client.transport.WireConnection;
import winnow.client.transport.WireSession;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.BranchEnd;
import winnow.wire.DeliveryRanges;
import winnow.wire.Xid;
import winnow.wire.frame.Decide;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.Prepared;

/// The branches of distributed transactions that the sessions of one connection work for, and what
/// a transaction manager does with them. Thread-safe.
public final class Branches {
    /// Sessions that are kept to publish in later branches.
    private static final int MAX_IDLE = 16;

    private final BrokerLink link;
    private final ReentrantLock lock = new ReentrantLock();

    /// Guarded by the lock, as is the state of each.
    private final Map<Xid, Branch> branches = new HashMap<>();

    /// Sessions that published in branches that have ended.
    private final Queue<WireSession> idle = new ArrayBlockingQueue<>(MAX_IDLE);

    public Branches(BrokerLink link) {
        this.link = link;
    }

    /// A session to publish in.
    ///
    /// @throws TransportException if the broker offers none
    WireSession beginPublishing(Current now) throws TransportException {
        WireSession found = idle.poll();
        return found == null || found.isRefused() || !found.isOn(now.wire())
                ? now.wire().beginPublishing()
                : found;
    }

    /// The connection is lost, and with it the work of all branches that are not prepared.
    public void onLost() {
        lock.lock();
        try {
            for (Branch branch : branches.values()) {
                branch.failed |= branch.state != Branch.State.PREPARED;
            }
            idle.clear();
        } finally {
            lock.unlock();
        }
    }

    private void requireConnected() throws XAException {
        if (link.wire().hasEnded()) {
            TransportException cause = link.wire().endedBy();
            throw cause == null
                    ? XAErrors.of(XAException.XAER_RMFAIL, "the connection is closed")
                    : XAErrors.of(XAException.XAER_RMFAIL, cause);
        }
    }

    private Branch known(Xid xid) throws XAException {
        Branch found = branches.get(xid);
        if (found == null) {
            throw XAErrors.unknown(xid);
        }
        return found;
    }

    private @Nullable Branch find(Xid xid) {
        lock.lock();
        try {
            return branches.get(xid);
        } finally {
            lock.unlock();
        }
    }

    /// A session begins or goes on to work for a branch. If the connection is lost, the next one is
    /// waited for.
    ///
    /// @param flags TMNOFLAGS, TMJOIN or TMRESUME
    void start(BranchWork work, Xid xid, int flags) throws XAException {
        try {
            Current unused = link.connected();
        } catch (JMSException e) {
            throw XAErrors.of(XAException.XAER_RMFAIL, e);
        }
        lock.lock();
        try {
            Branch branch =
                    switch (flags) {
                        case XAResource.TMNOFLAGS -> begin(xid);
                        case XAResource.TMJOIN -> joined(xid);
                        case XAResource.TMRESUME -> resumed(work, xid);
                        default -> throw XAErrors.flags("start", flags);
                    };
            if (!work.enter(branch)) {
                throw XAErrors.protocol("the session works for another branch");
            }
            branches.put(xid, branch);
            branch.suspended.remove(work);
            branch.active.add(work);
        } finally {
            lock.unlock();
        }
    }

    private Branch begin(Xid xid) throws XAException {
        if (branches.containsKey(xid)) {
            throw XAErrors.of(XAException.XAER_DUPID, "transaction " + xid + " has begun already");
        }
        return new Branch(xid, this);
    }

    private Branch joined(Xid xid) throws XAException {
        Branch branch = known(xid);
        if (branch.state != Branch.State.WORKING) {
            throw XAErrors.protocol("transaction " + xid + " has ended its work");
        }
        if (branch.failed) {
            throw XAErrors.of(XAException.XA_RBROLLBACK, "transaction " + xid + " has failed");
        }
        return branch;
    }

    private Branch resumed(BranchWork work, Xid xid) throws XAException {
        Branch branch = known(xid);
        if (!branch.suspended.contains(work)) {
            throw XAErrors.protocol("transaction " + xid + " is not suspended in this session");
        }
        return branch;
    }

    /// A session works for a branch no more.
    ///
    /// @param flags TMSUCCESS, TMFAIL or TMSUSPEND
    void end(BranchWork work, Xid xid, int flags) throws XAException {
        if (flags != XAResource.TMSUCCESS
                && flags != XAResource.TMFAIL
                && flags != XAResource.TMSUSPEND) {
            throw XAErrors.flags("end", flags);
        }
        lock.lock();
        try {
            Branch branch = known(xid);
            boolean suspends = flags == XAResource.TMSUSPEND;
            if (!branch.active.contains(work) && (suspends || !branch.suspended.contains(work))) {
                throw XAErrors.protocol("the session does not work for transaction " + xid);
            }
            branch.active.remove(work);
            branch.suspended.remove(work);
            if (suspends) {
                branch.suspended.add(work);
            }
            branch.failed |= flags == XAResource.TMFAIL;
            work.leave(branch);
        } finally {
            lock.unlock();
        }
    }

    /// The branch whose work is to be ended by the caller alone.
    private Branch ending(Xid xid) throws XAException {
        requireConnected();
        lock.lock();
        try {
            Branch branch = known(xid);
            if (branch.state != Branch.State.WORKING
                    || !branch.active.isEmpty()
                    || !branch.suspended.isEmpty()) {
                throw XAErrors.protocol(
                        "transaction %s is %s, %d sessions work for it, and %d have suspended that"
                                .formatted(
                                        xid,
                                        branch.state,
                                        branch.active.size(),
                                        branch.suspended.size()));
            }
            branch.state = Branch.State.ENDING;
            return branch;
        } finally {
            lock.unlock();
        }
    }

    private void state(Branch branch, Branch.State state) {
        lock.lock();
        try {
            branch.state = state;
        } finally {
            lock.unlock();
        }
    }

    private void forget(Branch branch) {
        lock.lock();
        try {
            branches.remove(branch.xid(), branch);
        } finally {
            lock.unlock();
        }
    }

    /// Prepares a branch.
    ///
    /// @return XA_OK, or XA_RDONLY if there is nothing to decide
    int prepare(Xid xid) throws XAException {
        Branch branch = ending(xid);
        if (!complete(branch, BranchEnd.PREPARE)) {
            onCommitted(branch);
            return XAResource.XA_RDONLY;
        }
        state(branch, Branch.State.PREPARED);
        return XAResource.XA_OK;
    }

    /// Commits a branch.
    void commit(Xid xid, boolean onePhase) throws XAException {
        if (onePhase) {
            Branch branch = ending(xid);
            boolean unused = complete(branch, BranchEnd.COMMIT);
            onCommitted(branch);
            return;
        }
        Branch branch = find(xid);
        if (branch != null) {
            requirePrepared(branch);
        }
        decide(xid, true);
        if (branch != null) {
            onCommitted(branch);
        }
    }

    private void requirePrepared(Branch branch) throws XAException {
        lock.lock();
        try {
            if (branch.state != Branch.State.PREPARED) {
                throw XAErrors.protocol("transaction " + branch.xid() + " is not prepared");
            }
        } finally {
            lock.unlock();
        }
    }

    /// Prepares or commits the work of a branch.
    ///
    /// @return false if there is none
    private boolean complete(Branch branch, BranchEnd end) throws XAException {
        // First: if it is lost meanwhile, the request fails and names nothing of another one.
        WireConnection wire = link.wire();
        List<EndBranch.Part> received = branch.received();
        int publishing = branch.publishingNumber();
        if (branch.failed || branch.isLost()) {
            undo(branch);
            throw XAErrors.of(XAException.XA_RBROLLBACK, "the work of the transaction has failed");
        }
        if (publishing == 0 && received.isEmpty()) {
            return false;
        }
        try {
            WireSession.checkRanges(
                    received.stream().mapToInt(part -> part.deliveries().count()).sum());
            Answer answer =
                    wire.request(id -> new EndBranch(id, end, branch.xid(), publishing, received));
            branch.works().forEach(work -> work.onAsked(branch, answer));
            answer.await();
        } catch (TransportException e) {
            throw notCompleted(branch, end, wire, e);
        }
        branch.works().forEach(work -> work.onTaken(branch));
        keep(branch.takePublishing());
        return true;
    }

    /// Rolls back a branch that the broker refuses. After any other failure, also when the
    /// connection ends, the transaction manager has to ask later whether the transaction is
    /// prepared.
    private XAException notCompleted(
            Branch branch, BranchEnd end, WireConnection wire, TransportException failure)
            throws XAException {
        if (!wire.hasEnded() && XAErrors.isRefusal(failure)) {
            undo(branch);
            return XAErrors.of(XAException.XA_RBROLLBACK, failure);
        }
        lock.lock();
        try {
            branch.failed = true;
            branch.inDoubt = end;
            branch.state = Branch.State.WORKING;
        } finally {
            lock.unlock();
        }
        return XAErrors.of(XAException.XAER_RMFAIL, failure);
    }

    private void keep(@Nullable WireSession publishing) {
        if (publishing != null && !idle.offer(publishing)) {
            end(publishing);
        }
    }

    private static void end(@Nullable WireSession publishing) {
        if (publishing != null) {
            var unused = publishing.end(DeliveryRanges.NONE);
        }
    }

    /// Rolls a branch back, prepared or not.
    void rollback(Xid xid) throws XAException {
        Branch branch = rolling(xid);
        if (branch == null) {
            decide(xid, false);
            return;
        }
        if (branch.state == Branch.State.PREPARED) {
            decide(xid, false);
            onRolledBack(branch);
            return;
        }
        undo(branch);
        if (branch.inDoubt == BranchEnd.COMMIT) {
            throw XAErrors.of(
                    XAException.XAER_RMFAIL,
                    "it is not known whether transaction " + xid + " was committed");
        }
        if (branch.inDoubt == BranchEnd.PREPARE) {
            rollBackPrepared(xid);
        }
    }

    /// Rolls back what may have been prepared.
    private void rollBackPrepared(Xid xid) throws XAException {
        try {
            decide(xid, false);
        } catch (XAException e) {
            if (e.errorCode != XAException.XAER_NOTA) {
                throw e;
            }
        }
    }

    /// The branch that is to be rolled back, also while sessions work for it: a transaction manager
    /// does so when it has waited too long. Null if it is not known here.
    private @Nullable Branch rolling(Xid xid) throws XAException {
        lock.lock();
        try {
            Branch branch = branches.get(xid);
            if (branch == null) {
                return null;
            }
            if (branch.state == Branch.State.ENDING) {
                throw XAErrors.protocol("another thread ends transaction " + xid);
            }
            if (branch.state == Branch.State.WORKING) {
                branch.state = Branch.State.ENDING;
            }
            branch.active.forEach(work -> work.leave(branch));
            branch.active.clear();
            branch.suspended.clear();
            return branch;
        } finally {
            lock.unlock();
        }
    }

    /// Forgets what a branch has published and gives back what it has received. A connection that
    /// is lost has done so.
    private void undo(Branch branch) throws XAException {
        WireConnection wire = link.wire();
        try {
            end(branch.takePublishing());
            List<EndBranch.Part> left = new ArrayList<>();
            for (BranchWork work : branch.works()) {
                DeliveryRanges deliveries = work.giveBack(branch);
                if (!deliveries.isEmpty()) {
                    left.add(new EndBranch.Part(work.number(), deliveries));
                }
            }
            if (!left.isEmpty()) {
                wire.ask(id -> new EndBranch(id, BranchEnd.ROLL_BACK, branch.xid(), 0, left));
            }
        } catch (TransportException | JMSException e) {
            if (!wire.hasEnded()) {
                state(branch, Branch.State.WORKING);
                throw XAErrors.of(XAException.XAER_RMERR, e);
            }
        }
        onRolledBack(branch);
    }

    private void onCommitted(Branch branch) throws XAException {
        forget(branch);
        try {
            for (BranchWork work : branch.works()) {
                work.onCommitted(branch);
            }
        } catch (JMSException e) {
            throw XAErrors.of(XAException.XAER_RMERR, e);
        }
    }

    private void onRolledBack(Branch branch) throws XAException {
        forget(branch);
        try {
            for (BranchWork work : branch.works()) {
                work.onRolledBack(branch);
            }
        } catch (JMSException e) {
            throw XAErrors.of(XAException.XAER_RMERR, e);
        }
    }

    private void decide(Xid xid, boolean commit) throws XAException {
        try {
            link.wire().ask(id -> new Decide(id, xid, commit));
        } catch (TransportException e) {
            throw XAErrors.ofDecision(e);
        }
    }

    /// All transactions that are prepared, of whatever connection.
    List<Xid> prepared() throws XAException {
        List<Xid> all = new ArrayList<>();
        try {
            Prepared page = link.wire().listPrepared(null);
            all.addAll(page.xids());
            while (page.more()) {
                page = link.wire().listPrepared(all.get(all.size() - 1));
                all.addAll(page.xids());
            }
        } catch (TransportException e) {
            throw XAErrors.of(XAException.XAER_RMFAIL, e);
        }
        return all;
    }
}
