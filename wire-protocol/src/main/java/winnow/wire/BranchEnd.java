package winnow.wire;

/// Outcomes for the work of a distributed transaction's branch. The number travels.
public enum BranchEnd {
    /// It is kept until the transaction is decided.
    PREPARE(1),

    /// It takes effect at once: there is no other resource.
    COMMIT(2),

    /// Messages that were published are forgotten, those that were received come again.
    ROLL_BACK(3);

    private static final BranchEnd[] BY_NUMBER = values();

    private final int number;

    BranchEnd(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /// @throws WireException if there is none with that number
    public static BranchEnd read(WireReader in) {
        int number = in.readUnsignedByte();
        for (BranchEnd end : BY_NUMBER) {
            if (end.number == number) {
                return end;
            }
        }
        throw new WireException(
                ErrorCode.MALFORMED_FRAME, "EndBranch: expected 1, 2 or 3, found " + number);
    }
}
