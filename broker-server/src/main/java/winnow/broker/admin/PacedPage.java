package winnow.broker.admin;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.fault.FatalErrors;
import winnow.broker.identity.ProvenUser;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// A page whose answers may be large: a few are made at a time, and further requests wait for their
/// turn. Else those who ask for long lists on many connections would use up the heap, and keep the
/// event loops, which the lists are asked from. Thread-safe: by its own lock.
public final class PacedPage implements HttpServer.Page {
    /// A list of 10,000 connections takes 8 MB while it is made.
    static final int AT_ONCE = 2;

    /// As many as HTTP connections by default; those whose clients have gone make way.
    static final int MAX_WAITING = 100;

    private final Predicate<ProvenUser> proven;
    private final HttpServer.Page page;
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private int making;

    /// A request that waits.
    private record Turn(
            Request request,
            Supplier<CompletionStage<Response>> page,
            CompletableFuture<Response> answer) {
        boolean isWanted() {
            return request.client().isConnected();
        }
    }

    /// @param proven whether a user may still ask: one may be removed, or get another password,
    ///   while its request waits
    public PacedPage(Predicate<ProvenUser> proven, HttpServer.Page page) {
        this.proven = proven;
        this.page = page;
    }

    @Override
    public CompletionStage<Response> get(Request request) {
        return inTurn(request, page::get);
    }

    @Override
    public CompletionStage<Response> post(Request request) {
        return inTurn(request, page::post);
    }

    @Override
    public CompletionStage<Response> put(Request request) {
        return inTurn(request, page::put);
    }

    @Override
    public CompletionStage<Response> delete(Request request) {
        return inTurn(request, page::delete);
    }

    private CompletionStage<Response> inTurn(
            Request request, Function<Request, CompletionStage<Response>> how) {
        Turn turn = new Turn(request, () -> answer(request, how), new CompletableFuture<>());
        synchronized (this) {
            if (making == AT_ONCE) {
                if (waiting.size() >= MAX_WAITING) {
                    waiting.removeIf(one -> !one.isWanted());
                }
                if (waiting.size() >= MAX_WAITING) {
                    return JsonPage.failure(
                            503, MAX_WAITING + " requests wait for their answers, try again");
                }
                waiting.add(turn);
                return turn.answer;
            }
            making++;
        }
        make(turn);
        return turn.answer;
    }

    private CompletionStage<Response> answer(
            Request request, Function<Request, CompletionStage<Response>> how) {
        if (!proven.test(request.user())) {
            ProblemException outdated = ProblemException.outdated(request.user());
            return JsonPage.failure(outdated.status(), String.valueOf(outdated.getMessage()));
        }
        return how.apply(request);
    }

    /// Whatever comes of it, the next one has its turn when the HTTP server has taken the answer.
    private void make(Turn turn) {
        CompletionStage<Response> made;
        try {
            made = turn.page.get();
        } catch (RuntimeException | Error e) {
            FatalErrors.endIfFatal(e);
            made = CompletableFuture.failedStage(e);
        }
        var _ =
                made.whenComplete((response, failure) -> {
                    if (failure == null) {
                        turn.answer.complete(response);
                    } else {
                        turn.answer.completeExceptionally(failure);
                    }
                    turn.request.client().execute(this::onTaken);
                });
    }

    private void onTaken() {
        Turn next;
        synchronized (this) {
            do {
                next = waiting.poll();
            } while (next != null && !next.isWanted());
            if (next == null) {
                making--;
            }
        }
        if (next != null) {
            make(next);
        }
    }
}
