package winnow.store;

/// Action when an appended batch is complete. Called once, on the log's executor, in the order of
/// the appends.
public interface Completion {
    /// The batch is as durable as was asked for, and so is everything that was appended before with
    /// the same or a lower durability.
    void onWritten();

    /// The batch may be lost, and the log takes no more.
    void onFailed(LogException failure);
}
