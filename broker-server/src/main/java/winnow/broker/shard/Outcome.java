package winnow.broker.shard;

import winnow.store.LogException;

/// Outcome that a client waits for. One of [#onDone], [#onFailed] and [#onRefused] is called, once,
/// by the shard's thread.
public interface Outcome {
    /// Nobody waits.
    Outcome IGNORED =
            new Outcome() {
                @Override
                public boolean awaited() {
                    return false;
                }

                @Override
                public void onDone() {}

                @Override
                public void onFailed(LogException failure) {}
            };

    /// Owner of the share of memory that is taken by what is kept: a user, or the address of a
    /// client without one; empty for the broker itself.
    default String owner() {
        return "";
    }

    /// True if a refusal may name subscriptions, which may be others'.
    default boolean seesSubscriptions() {
        return false;
    }

    /// True if somebody waits for it, so that it is written soon.
    default boolean awaited() {
        return true;
    }

    /// A message was taken.
    ///
    /// @param stored whether the log gets it with the present batch
    default void onTaken(Shard shard, boolean stored) {}

    /// It is as durable as was asked for.
    void onDone();

    /// It may be lost, or was refused because of an earlier failure.
    void onFailed(LogException failure);

    /// Nothing of it was taken, because of a limit.
    ///
    /// @param reason which limit, for people
    default void onRefused(String reason) {
        onFailed(new LogException(LogException.Reason.NO_SPACE, reason));
    }
}
