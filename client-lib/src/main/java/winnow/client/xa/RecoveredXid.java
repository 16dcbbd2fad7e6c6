package winnow.client.xa;

import org.jspecify.annotations.Nullable;
import winnow.wire.Xid;

/// A prepared transaction as a transaction manager knows it. Immutable.
public final class RecoveredXid implements javax.transaction.xa.Xid {
    private final Xid xid;

    public RecoveredXid(Xid xid) {
        this.xid = xid;
    }

    @Override
    public int getFormatId() {
        return xid.format();
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return xid.global();
    }

    @Override
    public byte[] getBranchQualifier() {
        return xid.branch();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecoveredXid recovered && xid.equals(recovered.xid);
    }

    @Override
    public int hashCode() {
        return xid.hashCode();
    }

    @Override
    public String toString() {
        return xid.toString();
    }
}
