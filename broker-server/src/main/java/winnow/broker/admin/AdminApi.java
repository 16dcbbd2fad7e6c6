package winnow.broker.admin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import winnow.broker.destination.DestinationRegistry;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.SubscriptionInfo;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.session.Connections;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;
import winnow.selector.InvalidSelectorSyntaxException;
import winnow.wire.ErrorCode;

/// The administration API, answered as JSON: [#ROUTES]. Thread-safe.
///
/// A list ends at the limit or, if its texts are long, before. Then the header `Link` has the
/// target of what comes next; it is the same request with another `after`.
public final class AdminApi implements HttpServer.Page {
    /// What all its paths begin with.
    public static final String ROOT = "/api/v1/";

    /// Everything that it answers; openapi.json describes the same.
    public static final List<Route> ROUTES =
            List.of(
                    new Route("get", "/api/v1/", "what is here"),
                    new Route("get", "/api/v1/openapi.json", "the same for programs"),
                    new Route("get", "/api/v1/overview", "totals of the broker"),
                    new Route("get", "/api/v1/topics", "topics by name"),
                    new Route("get", "/api/v1/topics/{topic}", "one topic"),
                    new Route("get", "/api/v1/topics/{topic}/subscriptions", "its subscriptions"),
                    new Route(
                            "get",
                            "/api/v1/topics/{topic}/subscriptions/{id}/explain",
                            "how the selector of one is doing"),
                    new Route("get", "/api/v1/connections", "connections of clients"),
                    new Route("delete", "/api/v1/connections/{connection}", "closes one"),
                    new Route("get", "/api/v1/consumers", "for whom most waits, of all topics"),
                    new Route(
                            "get",
                            "/api/v1/backlogs",
                            "the queues and stored subscriptions in which most messages wait"),
                    new Route(
                            "get",
                            "/api/v1/blocked",
                            "whose producers are held back, by whom, and why"),
                    new Route(
                            "get",
                            "/api/v1/selectors",
                            "the selectors that matching spends most time on, of all topics"),
                    new Route("get", "/api/v1/settings", "settings in force and their sources"),
                    new Route("get", "/api/v1/queues", "queues by name, and what waits in them"),
                    new Route("get", "/api/v1/queues/{queue}", "one queue"),
                    new Route(
                            "delete",
                            "/api/v1/queues/{queue}",
                            "removes a queue without consumers, with its messages"),
                    new Route(
                            "get",
                            "/api/v1/queues/{queue}/messages",
                            "messages that wait for a consumer, in the order of delivery"),
                    new Route(
                            "delete",
                            "/api/v1/queues/{queue}/messages",
                            "removes messages that wait for a consumer"),
                    new Route(
                            "post",
                            "/api/v1/queues/{queue}/move",
                            "moves messages that wait for a consumer to another queue"),
                    new Route(
                            "post",
                            "/api/v1/queues/{queue}/retry",
                            "moves dead letters back to the queues that they come from"),
                    new Route(
                            "get",
                            "/api/v1/subscriptions",
                            "durable and shared subscriptions of all topics by number"),
                    new Route("get", "/api/v1/subscriptions/{subscription}", "one of them"),
                    new Route(
                            "delete",
                            "/api/v1/subscriptions/{subscription}",
                            "removes a durable one without consumers, with its messages"),
                    new Route(
                            "get",
                            "/api/v1/subscriptions/{subscription}/messages",
                            "messages that wait for its consumer, in the order of delivery"),
                    new Route(
                            "delete",
                            "/api/v1/subscriptions/{subscription}/messages",
                            "removes messages that wait for its consumer"),
                    new Route(
                            "get",
                            "/api/v1/transactions",
                            "distributed transactions that are prepared"),
                    new Route(
                            "post",
                            "/api/v1/transactions/{transaction}/commit",
                            "commits a prepared transaction"),
                    new Route(
                            "post",
                            "/api/v1/transactions/{transaction}/rollback",
                            "rolls a prepared transaction back"),
                    new Route("get", "/api/v1/storage", "where messages are kept, and how many"),
                    new Route(
                            "post",
                            "/api/v1/storage/backups",
                            "makes a backup of the store while the broker works"),
                    new Route("get", "/api/v1/storage/backups", "backups by name"),
                    new Route("get", "/api/v1/storage/backups/{backup}", "one backup"),
                    new Route("delete", "/api/v1/storage/backups/{backup}", "removes a backup"),
                    new Route(
                            "post",
                            "/api/v1/reload",
                            "reads settings, users and certificates again, all or none"));

    private final DestinationRegistry topics;
    private final BrokerState state;
    private final Settings settings;
    private final Explanations explanations;
    private final StoredPages stored;

    public AdminApi(
            DestinationRegistry topics,
            Connections connections,
            BrokerCounters counters,
            Settings settings,
            StoredPages stored) {
        this.stored = stored;
        this.topics = topics;
        this.state = new BrokerState(topics, connections, counters, stored);
        this.settings = settings;
        this.explanations = new Explanations(counters);
    }

    /// A question that can be asked.
    public record Route(String method, String path, String summary) {}

    /// The broker's settings.
    public interface Settings {
        /// Those in force.
        List<?> settings();

        /// Reads them again.
        ///
        /// @return what has changed
        /// @throws IllegalArgumentException saying what is wrong with them
        /// @throws IOException if a file cannot be read
        Object reload() throws IOException;
    }

    /// A topic for people.
    ///
    /// @param matching `indexed` or `linear`
    /// @param messages published since the topic appeared
    /// @param blockedBy which limit of which subscription holds producers back, empty if none does
    record TopicInfo(
            String name, String matching, int subscriptions, long messages, String blockedBy) {
        TopicInfo(Topic topic) {
            this(
                    topic.name(),
                    topic.matching(),
                    topic.subscriptionCount(),
                    topic.matchCounters().messages.sum(),
                    topic.blockReason());
        }
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
    public CompletionStage<Response> delete(Request request) {
        return answer(Verb.DELETE, request);
    }

    private CompletionStage<Response> answer(Verb verb, Request request) {
        List<String> path = request.path().subList(2, request.path().size());
        try {
            return finish(route(verb, path, request));
        } catch (IllegalArgumentException | InvalidSelectorSyntaxException e) {
            return JsonPage.failure(400, String.valueOf(e.getMessage()));
        } catch (RefusedException e) {
            return JsonPage.failure(400, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private CompletionStage<Response> route(Verb verb, List<String> path, Request request)
            throws IOException {
        Map<String, List<String>> parameters = request.parameters();
        Operator by = Operator.of(request);
        return switch (path.get(0)) {
            case "queues", "subscriptions", "transactions", "storage" ->
                    stored.answer(by, verb, path, parameters);
            case "connections" -> ofConnections(by, verb, path, parameters);
            case "reload" -> {
                if (path.size() > 1) {
                    yield unknown(path);
                }
                yield verb == Verb.POST ? startReload(by) : verb.notAllowed(Verb.POST);
            }
            default -> verb == Verb.GET ? ofBroker(path, parameters) : verb.notAllowed(Verb.GET);
        };
    }

    private CompletionStage<Response> startReload(Operator by) {
        by.did("asks for a reload");
        return CompletableFuture.supplyAsync(this::reload, Thread::startVirtualThread)
                .thenCompose(Function.identity());
    }

    private CompletionStage<Response> reload() {
        try {
            return JsonPage.of(settings.reload());
        } catch (IllegalArgumentException | IOException e) {
            return JsonPage.failure(409, String.valueOf(e.getMessage()));
        }
    }

    private CompletionStage<Response> ofBroker(
            List<String> path, Map<String, List<String>> parameters) throws IOException {
        if (path.size() > 1 && !path.get(0).equals("topics")) {
            return unknown(path);
        }
        return switch (path.get(0)) {
            case "" -> JsonPage.of(ROUTES);
            case "openapi.json" -> openApi();
            case "overview" -> JsonPage.of(state.overview());
            case "consumers" -> state.slowest(Listing.limit(parameters)).thenCompose(JsonPage::of);
            case "backlogs" -> stored.largest(Listing.limit(parameters));
            case "blocked" -> blocked(parameters);
            case "selectors" -> JsonPage.of(state.costliest(Listing.limit(parameters)));
            case "settings" -> JsonPage.of(settings.settings());
            case "topics" -> ofTopics(path, parameters);
            default -> unknown(path);
        };
    }

    private static CompletionStage<Response> unknown(List<String> path) {
        return JsonPage.failure(
                404,
                "expected one of "
                        + ROUTES.stream().map(Route::path).collect(Collectors.joining(", "))
                        + ", found '"
                        + ROOT
                        + String.join("/", path)
                        + "'");
    }

    private static CompletionStage<Response> openApi() throws IOException {
        try (InputStream in = AdminApi.class.getResourceAsStream("openapi.json")) {
            String text =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return CompletableFuture.completedStage(new Response(200, "application/json", text));
        }
    }

    private CompletionStage<Response> ofConnections(
            Operator by, Verb verb, List<String> path, Map<String, List<String>> parameters) {
        if (path.size() == 1) {
            return verb == Verb.GET ? connections(parameters) : verb.notAllowed(Verb.GET);
        }
        if (path.size() > 2) {
            return JsonPage.failure(404, "expected nothing after the connection's number");
        }
        if (verb != Verb.DELETE) {
            return verb.notAllowed(Verb.DELETE);
        }
        String id = path.get(1);
        return state.close(connection("connection", id))
                .map(closing ->
                        closing.thenCompose(closed -> {
                            by.did("closed " + Operator.connection(closed));
                            return JsonPage.of(closed);
                        }))
                .orElseGet(() -> JsonPage.failure(404, "there is no connection " + id));
    }

    private static long connection(String name, String text) {
        if (!text.matches("[0-9a-f]{1,16}")) {
            throw new IllegalArgumentException(
                    name + ": expected up to 16 hexadecimal digits, found '" + text + "'");
        }
        return Long.parseUnsignedLong(text, 16);
    }

    private CompletionStage<Response> connections(Map<String, List<String>> parameters) {
        long after = connection("after", parameters.getOrDefault("after", List.of("0")).get(0));
        int limit = Listing.limit(parameters);
        return state.connections(after, limit + 1)
                .thenCompose(found -> {
                    int size = Listing.pageSize(found, limit, one -> one.client().length());
                    return JsonPage.of(
                            found.subList(0, size),
                            size < found.size()
                                    ? Listing.next(
                                            ROOT + "connections", found.get(size - 1).id(), limit)
                                    : "");
                });
    }

    private CompletionStage<Response> blocked(Map<String, List<String>> parameters) {
        int limit = Listing.limit(parameters);
        BlockedTopics page = state.blocked(Listing.after(parameters), limit);
        return JsonPage.of(
                page.topics(),
                page.last().isEmpty() ? "" : Listing.next(ROOT + "blocked", page.last(), limit));
    }

    private CompletionStage<Response> ofTopics(
            List<String> path, Map<String, List<String>> parameters) {
        if (path.size() == 1) {
            return topics(parameters);
        }
        String name = path.get(1);
        return topics.find(name)
                .map(topic -> ofTopic(topic, path.subList(2, path.size()), parameters))
                .orElseGet(() -> JsonPage.failure(404, "no topic '" + name + "' is in use"));
    }

    private CompletionStage<Response> topics(Map<String, List<String>> parameters) {
        String after = Listing.after(parameters);
        int limit = Listing.limit(parameters);
        List<TopicInfo> found =
                topics.topics().stream()
                        .filter(topic -> topic.name().compareTo(after) > 0)
                        .sorted(Comparator.comparing(Topic::name))
                        .limit(limit + 1L)
                        .map(TopicInfo::new)
                        .toList();
        int size = Listing.pageSize(found, limit, topic -> topic.name().length());
        String next = size < found.size() ? found.get(size - 1).name() : "";
        return JsonPage.of(
                found.subList(0, size),
                next.isEmpty() ? "" : Listing.next(ROOT + "topics", next, limit));
    }

    private CompletionStage<Response> ofTopic(
            Topic topic, List<String> path, Map<String, List<String>> parameters) {
        if (path.isEmpty()) {
            return JsonPage.of(new TopicInfo(topic));
        }
        if (path.equals(List.of("subscriptions"))) {
            int after = Listing.number(parameters, "after", 0, 0, Integer.MAX_VALUE);
            int limit = Listing.limit(parameters);
            return topic.list(after, limit + 1)
                    .thenCompose(found -> subscriptions(topic, found, limit));
        }
        if (path.size() == 3
                && path.get(0).equals("subscriptions")
                && path.get(2).equals("explain")) {
            int id = Listing.number("subscription", path.get(1), 0, Integer.MAX_VALUE);
            return topic.explain(id)
                    .thenCompose(found ->
                            found.map(info -> JsonPage.of(explanations.of(topic, info)))
                                    .orElseGet(() -> noSubscription(topic, id)));
        }
        return JsonPage.failure(
                404, "expected subscriptions or subscriptions/ID/explain after the topic's name");
    }

    private static CompletionStage<Response> subscriptions(
            Topic topic, List<SubscriptionInfo> found, int limit) {
        int size =
                Listing.pageSize(
                        found,
                        limit,
                        one -> one.selector().length() + one.correlationIdFilter().length());
        String path = ROOT + "topics/" + Listing.encode(topic.name()) + "/subscriptions";
        return JsonPage.of(
                found.subList(0, size),
                size < found.size()
                        ? Listing.next(path, String.valueOf(found.get(size - 1).id()), limit)
                        : "");
    }

    private static CompletionStage<Response> noSubscription(Topic topic, int id) {
        return JsonPage.failure(404, "topic '" + topic.name() + "' has no subscription " + id);
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
