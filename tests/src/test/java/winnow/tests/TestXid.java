package winnow.tests;

import javax.transaction.xa.Xid;

/// A branch that a test names by a number. Immutable.
public record TestXid(int number) implements Xid {
    @Override
    public int getFormatId() {
        return 0x57;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return new byte[] {(byte) number, 0, -1};
    }

    @Override
    public byte[] getBranchQualifier() {
        return new byte[] {1};
    }

    /// Whether it names the same branch.
    public boolean names(Xid other) {
        return other.getFormatId() == getFormatId()
                && other.getGlobalTransactionId()[0] == (byte) number;
    }
}
