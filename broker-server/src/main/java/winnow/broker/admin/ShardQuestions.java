package winnow.broker.admin;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import winnow.broker.admin.request.Asked;
import winnow.broker.fault.FatalErrors;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.storage.Storage;
import winnow.store.LogException;

/// Asks the thread of a storage. What is made of an answer does not run on that thread.
/// Thread-safe.
final class ShardQuestions {
    private static final int ANSWER_SECONDS = 5;

    private final Storage storage;

    ShardQuestions(Storage storage) {
        this.storage = storage;
    }

    /// @return fails with what the question throws, or if there is no answer in time
    <T> CompletionStage<T> ask(Function<Shard, T> question) {
        return ask(0, (shard, answer) -> answer.complete(question.apply(shard)));
    }

    /// Asks something whose answer comes later.
    ///
    /// @param workSeconds what the work may take, beside waiting for its turn
    /// @param question is to complete the future
    /// @return fails with what the question throws, or if there is no answer in time
    <T> CompletionStage<T> ask(int workSeconds, BiConsumer<Shard, CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        storage.execute(shard -> {
            try {
                question.accept(shard, answer);
            } catch (Throwable failure) {
                FatalErrors.endIfFatal(failure);
                answer.completeExceptionally(failure);
            }
        });
        return answer.orTimeout(ANSWER_SECONDS + workSeconds, TimeUnit.SECONDS)
                .handleAsync((result, failure) -> {
                    if (failure != null) {
                        throw failure instanceof CompletionException known
                                ? known
                                : new CompletionException(failure);
                    }
                    return result;
                });
    }

    /// A change of what the shard has. Called on its thread.
    ///
    /// @param <T> the answer
    interface ShardChange<T> {
        /// @param asked with what the user may do at this moment
        /// @param answer to be completed
        void apply(Asked asked, Shard shard, CompletableFuture<T> answer);
    }

    /// Asks for a change, unless whoever asks may not do so any more when its turn has come.
    ///
    /// @param workSeconds as above
    /// @return fails as above, and with what the guard of the request throws
    <T> CompletionStage<T> change(Asked asked, int workSeconds, ShardChange<T> change) {
        return ask(workSeconds, (shard, answer) -> change.apply(asked.again(), shard, answer));
    }

    /// Runs a command on the storage's thread.
    void execute(Runnable command) {
        storage.execute(_ -> command.run());
    }

    /// Answers when the outcome is known.
    ///
    /// @param done called before, if it is done
    static <T> Outcome whenDone(CompletableFuture<T> answer, T result, Runnable done) {
        return new Outcome() {
            @Override
            public void onDone() {
                done.run();
                answer.complete(result);
            }

            @Override
            public void onFailed(LogException failure) {
                answer.completeExceptionally(MessagePages.unavailable(failure));
            }
        };
    }
}
