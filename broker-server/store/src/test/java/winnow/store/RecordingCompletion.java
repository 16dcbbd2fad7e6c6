package winnow.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Keeps how a batch was completed, for a test that waits for it.
public final class RecordingCompletion implements Completion {
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    /// Appends a synced batch and waits until it is complete.
    ///
    /// @throws LogException if it fails
    public static void append(ShardLog log, Batch batch) {
        append(log, batch, Durability.SYNCED).await();
    }

    public static RecordingCompletion append(ShardLog log, Batch batch, Durability durability) {
        RecordingCompletion completion = new RecordingCompletion();
        log.append(batch, durability, completion);
        return completion;
    }

    @Override
    public void onWritten() {
        complete(result.complete(true));
    }

    @Override
    public void onFailed(LogException failure) {
        complete(result.completeExceptionally(failure));
    }

    private static void complete(boolean first) {
        if (!first) {
            throw new AssertionError("a batch was completed twice");
        }
    }

    public boolean isDone() {
        return result.isDone();
    }

    /// Waits until the batch is written.
    ///
    /// @throws LogException if it fails
    public void await() {
        try {
            result.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LogException failure) {
                throw failure;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("a batch was not completed", e);
        }
    }
}
