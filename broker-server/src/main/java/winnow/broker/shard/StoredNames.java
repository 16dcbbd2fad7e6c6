package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.Table;

/// Sees to it that the log knows the name behind each number that a stored message uses for a
/// property: the broker gives numbers anew at each start, beginning with those that are stored.
/// Owned by the shard.
final class StoredNames {
    private final IntFunction<String> names;
    private final List<String> stored = new ArrayList<>();

    /// @param names of properties by their numbers, from 1
    StoredNames(IntFunction<String> names) {
        this.names = names;
    }

    /// Writes the names that the log has not.
    ///
    /// @param maxNameId largest number in a message, 0 if it uses none
    void require(Batch batch, int maxNameId) {
        for (int number = stored.size() + 1; number <= maxNameId; number++) {
            String name = names.apply(number);
            stored.add(name);
            batch.put(Table.NAMES, Keys.of(number), name.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Number of names that are stored.
    int count() {
        return stored.size();
    }

    /// The names that are stored, in the order of their numbers, which begin with 1.
    List<String> stored() {
        return List.copyOf(stored);
    }

    /// A name was there when the shard was opened; in the order of their numbers.
    ///
    /// @throws LogException if one before it is missing
    void recover(byte[] key, byte[] row) {
        stored.add(new String(row, StandardCharsets.UTF_8));
        if (Keys.id(key) != stored.size()) {
            throw new LogException(
                    LogException.Reason.CORRUPT,
                    "names of properties: expected number "
                            + stored.size()
                            + ", found "
                            + Keys.id(key));
        }
    }
}
