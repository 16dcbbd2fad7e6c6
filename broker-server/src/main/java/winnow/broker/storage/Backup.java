package winnow.broker.storage;

/// A backup for people.
///
/// @param directory of it, like that of a broker: the copy is in its `store`
/// @param made when, in the form of ISO 8601, empty until it is complete
/// @param bytes of its files, which it may share with the store and other backups
/// @param complete whether it can be restored; if not, it is being made or removed
public record Backup(String name, String directory, String made, long bytes, boolean complete) {}
