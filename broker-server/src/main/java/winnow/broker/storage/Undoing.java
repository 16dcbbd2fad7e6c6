package winnow.broker.storage;

import java.util.List;
import winnow.broker.shard.Outcome;
import winnow.store.LogException;

/// Puts deliveries back into their sessions if the transaction that they were taken for has no
/// effect, and tells what becomes of it. Owned by the shard's thread.
public final class Undoing implements Outcome {
    private final List<Runnable> undo;
    private final Outcome outcome;

    /// @param undo as of [StoredSession#join]
    public Undoing(List<Runnable> undo, Outcome outcome) {
        this.undo = undo;
        this.outcome = outcome;
    }

    @Override
    public String owner() {
        return outcome.owner();
    }

    @Override
    public boolean seesSubscriptions() {
        return outcome.seesSubscriptions();
    }

    @Override
    public void onDone() {
        outcome.onDone();
    }

    @Override
    public void onFailed(LogException failure) {
        undo.forEach(Runnable::run);
        outcome.onFailed(failure);
    }

    @Override
    public void onRefused(String reason) {
        undo.forEach(Runnable::run);
        outcome.onRefused(reason);
    }
}
