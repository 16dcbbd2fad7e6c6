package winnow.broker.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.Verb;
import winnow.broker.matching.RefusedException;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.Permission;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;
import winnow.selector.error.InvalidSelectorSyntaxException;
import winnow.wire.ErrorCode;

/// The administration API, answered as JSON: its pages add their [Route]s, which [OpenApi]
/// describes. Thread-safe.
///
/// A list ends at the limit or, if its texts are long, before. Then the header `Link` has the
/// target of what comes next; it is the same request with another `after`.
public final class AdminApi implements HttpServer.Page {
    /// Prefix of all its paths.
    public static final String ROOT = "/api/v1/";

    private final Routes routes;
    private final BrokerSettings settings;

    public AdminApi(
            BrokerState state,
            DestinationRegistry topics,
            BrokerCounters counters,
            BrokerSettings settings,
            StoredPages stored,
            ClusterChanges cluster,
            AccessControl control) {
        this.settings = settings;
        List<Route> all = new ArrayList<>();
        all.add(
                Route.get("", "listRoutes", "what is here")
                        .listOf(Question.class)
                        .forAnybody()
                        .by(_ -> JsonPage.of(questions())));
        all.add(
                Route.get("openapi.json", "getDescription", "the same for programs")
                        .of(Map.class)
                        .forAnybody()
                        .by(_ -> JsonPage.of(description())));
        new StatePages(state).addTo(all);
        new TopicPages(topics, new Explanations(counters)).addTo(all);
        stored.addTo(all);
        new ClusterPages(cluster).addTo(all);
        all.add(
                Route.get("settings", "listSettings", "settings in force and their sources")
                        .listOf(BrokerSettings.Setting.class)
                        .needs(Permission.ADMIN)
                        .by(_ -> JsonPage.of(settings.settings())));
        all.add(
                Route.post(
                                "reload",
                                "reload",
                                "reads settings, users, permissions and certificates again, all or"
                                        + " none")
                        .of(BrokerSettings.Reloaded.class)
                        .needs(Permission.ADMIN)
                        .conflict("something is wrong with them; nothing has changed")
                        .by(asked -> startReload(asked)));
        new PermissionPages(control).addTo(all);
        new UserPages(settings.users(), control).addTo(all);
        routes = new Routes(all, control, settings.users()::proves);
    }

    /// A question that can be asked.
    record Question(String method, String path, String summary) {
        Question(Route route) {
            this(route.verb().name().toLowerCase(Locale.ROOT), route.wholePath(), route.summary());
        }
    }

    private List<Question> questions() {
        return routes.all().stream().map(Question::new).toList();
    }

    private Map<String, Object> description() {
        return OpenApi.of(routes);
    }

    @Override
    public CompletionStage<Response> get(Request request) {
        return answer(Verb.GET, request);
    }

    @Override
    public CompletionStage<Response> post(Request request) {
        return answer(Verb.POST, request);
    }

    @Override
    public CompletionStage<Response> put(Request request) {
        return answer(Verb.PUT, request);
    }

    @Override
    public CompletionStage<Response> delete(Request request) {
        return answer(Verb.DELETE, request);
    }

    private CompletionStage<Response> answer(Verb verb, Request request) {
        try {
            return finish(routes.answer(verb, request));
        } catch (IllegalArgumentException | InvalidSelectorSyntaxException | RefusedException e) {
            return JsonPage.failure(400, String.valueOf(e.getMessage()));
        } catch (ProblemException | IOException e) {
            return failure(e);
        }
    }

    private CompletionStage<Response> startReload(Asked asked) {
        asked.by().did("asks for a reload");
        return CompletableFuture.supplyAsync(() -> reload(asked), Thread::startVirtualThread)
                .thenCompose(Function.identity());
    }

    private CompletionStage<Response> reload(Asked asked) {
        try {
            return JsonPage.of(
                    settings.reload(() -> {
                        var _ = asked.again();
                    }));
        } catch (IllegalArgumentException | IOException e) {
            return JsonPage.failure(409, String.valueOf(e.getMessage()));
        }
    }

    private static CompletionStage<Response> finish(CompletionStage<Response> response) {
        return response.handle((page, error) -> error == null ? now(page) : failure(error))
                .thenCompose(Function.identity());
    }

    private static CompletionStage<Response> now(Response page) {
        return CompletableFuture.completedStage(page);
    }

    private static CompletionStage<Response> failure(Throwable error) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return switch (cause) {
            case TimeoutException _ ->
                    JsonPage.failure(503, "the thread that knows did not answer in time");
            case ProblemException problem ->
                    JsonPage.failure(problem.status(), String.valueOf(problem.getMessage()));
            case RefusedException refused ->
                    JsonPage.failure(
                            refused.code() == ErrorCode.UNKNOWN_SUBSCRIPTION ? 404 : 409,
                            String.valueOf(refused.getMessage()));
            default -> CompletableFuture.failedStage(cause);
        };
    }
}
