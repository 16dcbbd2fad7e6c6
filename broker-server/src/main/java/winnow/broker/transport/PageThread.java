package winnow.broker.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import winnow.broker.fault.FatalErrors;
import winnow.broker.transport.HttpServer.Response;

/// Makes the pages that take time, one after the other, so that the HTTP thread is free for those
/// about health. Thread-safe.
final class PageThread implements AutoCloseable {
    /// Pages whose clients have gone count until their turn comes, and take no time then.
    static final int MAX_WAITING = 1_000;

    private final Executor executor;
    private final Runnable onClose;

    /// @param executor runs the pages; refuses what is too much
    PageThread(Executor executor, Runnable onClose) {
        this.executor = executor;
        this.onClose = onClose;
    }

    static PageThread start() {
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        task -> {
                            Thread made = new Thread(task, "winnow-pages");
                            made.setDaemon(true);
                            return made;
                        });
        thread.allowCoreThreadTimeOut(true);
        return new PageThread(thread, thread::shutdownNow);
    }

    /// The answer, made when its turn comes.
    ///
    /// @param isWanted false if the client has gone
    CompletionStage<Response> make(
            Supplier<CompletionStage<Response>> page, BooleanSupplier isWanted) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                if (isWanted.getAsBoolean()) {
                    make(page, answer);
                } else {
                    answer.cancel(false);
                }
            });
        } catch (RejectedExecutionException _) {
            answer.complete(
                    Response.problem(
                            503, MAX_WAITING + " requests wait for their pages, try again"));
        }
        return answer;
    }

    private static void make(
            Supplier<CompletionStage<Response>> page, CompletableFuture<Response> answer) {
        CompletionStage<Response> made;
        try {
            made = page.get();
        } catch (IllegalArgumentException e) {
            made =
                    CompletableFuture.completedStage(
                            Response.problem(400, String.valueOf(e.getMessage())));
        } catch (RuntimeException | Error fault) {
            FatalErrors.endIfFatal(fault);
            made = CompletableFuture.failedStage(fault);
        }
        CompletableFuture<Response> source = made.toCompletableFuture();
        var _ =
                source.whenComplete((response, failure) -> {
                    if (failure == null) {
                        answer.complete(response);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
        // A client that goes gives up what it waits for.
        var _ =
                answer.whenComplete((_, _) -> {
                    if (answer.isCancelled()) {
                        source.cancel(false);
                    }
                });
    }

    /// Runs what pages go on with. It is never dropped: where too much waits, the caller runs it.
    void execute(Runnable command) {
        try {
            executor.execute(command);
        } catch (RejectedExecutionException _) {
            command.run();
        }
    }

    @Override
    public void close() {
        onClose.run();
    }
}
