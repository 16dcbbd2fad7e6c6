package winnow.broker.storage;

/// Use of the disk that a message may make, which says how much has to be free.
public enum DiskUse {
    /// It is written there only if there is no room in memory.
    PERHAPS,

    /// It is written there.
    MESSAGE,

    /// It is written there by a transaction that consumes others: half of the reserve is for that.
    WITH_CONSUMED
}
