package winnow.broker.admin;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.transport.HttpServer.Page;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// The API of a broker that does not lead its cluster: it names the one that does.
public final class StandbyPage implements Page {
    private final Supplier<String> reason;

    /// @param reason for answering nothing, with the leader's address
    public StandbyPage(Supplier<String> reason) {
        this.reason = reason;
    }

    private CompletionStage<Response> refusal() {
        return JsonPage.failure(503, reason.get());
    }

    @Override
    public CompletionStage<Response> get(Request request) {
        return refusal();
    }

    @Override
    public CompletionStage<Response> post(Request request) {
        return refusal();
    }

    @Override
    public CompletionStage<Response> put(Request request) {
        return refusal();
    }

    @Override
    public CompletionStage<Response> delete(Request request) {
        return refusal();
    }
}
