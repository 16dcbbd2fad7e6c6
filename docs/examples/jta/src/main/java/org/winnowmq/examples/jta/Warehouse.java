package org.winnowmq.examples.jta;

import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Stands for a database, the other participant of a distributed transaction. */
final class Warehouse implements XAResource {
    private final Runnable whenPrepared;
    private int commits;

    Warehouse(Runnable whenPrepared) {
        this.whenPrepared = whenPrepared;
    }

    int commits() {
        return commits;
    }

    @Override
    public int prepare(Xid xid) {
        whenPrepared.run();
        return XA_OK;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) {
        if (onePhase) {
            throw new IllegalStateException("expected two phases, found one");
        }
        commits++;
    }

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void rollback(Xid xid) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public Xid[] recover(int flag) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return this == other;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
