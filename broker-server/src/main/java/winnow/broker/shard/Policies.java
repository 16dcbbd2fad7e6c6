package winnow.broker.shard;

import winnow.wire.DestinationKind;

/// Finds the rules of a destination when it is made or read from the log. Called by the shard's
/// thread.
@FunctionalInterface
public interface Policies {
    /// The same for all.
    static Policies of(Policy policy) {
        return (kind, name) -> policy;
    }

    Policy of(DestinationKind kind, String name);
}
