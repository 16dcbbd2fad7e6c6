package winnow.broker.storage;

import winnow.broker.metrics.StorageFigures;

/// A storage for people.
///
/// @param durable whether what it has survives the broker
/// @param directory of its files, empty if it has none
/// @param epoch how often the files were opened
/// @param figures as of at most about a second ago
public record StorageState(boolean durable, String directory, long epoch, StorageFigures figures) {}
