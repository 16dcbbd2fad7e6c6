package winnow.client.xa;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import winnow.client.error.XAErrors;
import winnow.wire.Xid;

/// One session as a transaction manager uses it. It works for a branch from `start` to `end`.
/// `prepare`, `commit`, `rollback` and `recover` concern the broker, whatever session or connection
/// a prepared branch comes from. Sessions of one connection can join. Thread-safe.
///
/// A branch has no timeout of its own: a transaction manager rolls it back in time, and the broker
/// when the connection ends. Nothing is decided heuristically, so there is nothing to forget.
public final class BranchResource implements XAResource {
    private final Branches branches;
    private final BranchWork work;

    public BranchResource(Branches branches, BranchWork work) {
        this.branches = branches;
        this.work = work;
    }

    private static Xid adopt(javax.transaction.xa.@Nullable Xid xid) throws XAException {
        if (xid == null) {
            throw XAErrors.of(XAException.XAER_INVAL, "expected a transaction, found null");
        }
        try {
            return new Xid(
                    xid.getFormatId(), xid.getGlobalTransactionId(), xid.getBranchQualifier());
        } catch (IllegalArgumentException e) {
            throw XAErrors.of(XAException.XAER_INVAL, e);
        }
    }

    @Override
    public void start(javax.transaction.xa.Xid xid, int flags) throws XAException {
        branches.start(work, adopt(xid), flags);
    }

    @Override
    public void end(javax.transaction.xa.Xid xid, int flags) throws XAException {
        branches.end(work, adopt(xid), flags);
    }

    @Override
    public int prepare(javax.transaction.xa.Xid xid) throws XAException {
        return branches.prepare(adopt(xid));
    }

    @Override
    public void commit(javax.transaction.xa.Xid xid, boolean onePhase) throws XAException {
        branches.commit(adopt(xid), onePhase);
    }

    @Override
    public void rollback(javax.transaction.xa.Xid xid) throws XAException {
        branches.rollback(adopt(xid));
    }

    @Override
    public void forget(javax.transaction.xa.Xid xid) throws XAException {
        throw XAErrors.unknown(adopt(xid));
    }

    /// All of them with the first call of a scan, which is over then.
    @Override
    public javax.transaction.xa.Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XAErrors.flags("recover", flags);
        }
        if ((flags & TMSTARTRSCAN) == 0) {
            return new javax.transaction.xa.Xid[0];
        }
        return branches.prepared().stream()
                .map(RecoveredXid::new)
                .toArray(javax.transaction.xa.Xid[]::new);
    }

    /// True if both work on one connection.
    @Override
    public boolean isSameRM(@Nullable XAResource other) {
        return other instanceof BranchResource resource && resource.branches == branches;
    }

    /// @return 0: the transaction manager watches the time
    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    /// @return false: it cannot be set
    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        if (seconds < 0) {
            throw XAErrors.of(
                    XAException.XAER_INVAL, "expected a timeout of 0 or more, found " + seconds);
        }
        return false;
    }
}
