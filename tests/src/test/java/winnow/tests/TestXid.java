package winnow.tests;

import java.util.Arrays;
import javax.transaction.xa.Xid;

/// A branch that a test names by a number.
///
/// @param number 0 to 65,535
public record TestXid(int number) implements Xid {
    @Override
    public int getFormatId() {
        return 0x57;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return new byte[] {(byte) number, (byte) (number >> Byte.SIZE), -1};
    }

    @Override
    public byte[] getBranchQualifier() {
        return new byte[] {1};
    }

    /// True if it names the same branch.
    public boolean names(Xid other) {
        return other.getFormatId() == getFormatId()
                && Arrays.equals(other.getGlobalTransactionId(), getGlobalTransactionId());
    }
}
