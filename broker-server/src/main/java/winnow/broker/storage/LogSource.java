package winnow.broker.storage;

import java.util.concurrent.Executor;
import winnow.store.ShardLog;

/// Gives a storage its log, where that is not of its own files.
@FunctionalInterface
public interface LogSource {
    /// Opens the log. Blocks.
    ///
    /// @param completions calls the completions, one after the other
    /// @throws winnow.store.LogException if that fails
    ShardLog open(Executor completions);
}
