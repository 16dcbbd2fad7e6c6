package winnow.store;

/// Takes the rows of a scan.
@FunctionalInterface
public interface RowConsumer {
    /// @return whether the next row is wanted
    boolean onRow(byte[] key, byte[] value);
}
