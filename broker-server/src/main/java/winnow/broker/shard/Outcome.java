package winnow.broker.shard;

import winnow.store.LogException;

/// What a client waits for. One of the two is called, once, by the shard's thread.
public interface Outcome {
    /// Nobody waits.
    Outcome IGNORED =
            new Outcome() {
                @Override
                public void onDone() {}

                @Override
                public void onFailed(LogException failure) {}
            };

    /// It is as durable as was asked for.
    void onDone();

    /// It may be lost, or was refused because of an earlier failure.
    void onFailed(LogException failure);
}
