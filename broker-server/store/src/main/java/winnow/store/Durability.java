package winnow.store;

/// When an appended batch is complete.
public enum Durability {
    /// When it has been written: it survives the end of the process, not that of the machine.
    WRITTEN,

    /// When it is on the disk.
    SYNCED
}
