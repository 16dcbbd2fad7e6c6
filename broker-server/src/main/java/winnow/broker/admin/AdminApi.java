package winnow.broker.admin;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import winnow.broker.destination.SubscriptionInfo;
import winnow.broker.destination.Topic;
import winnow.broker.destination.TopicRegistry;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.session.Connections;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// The administration API, answered as JSON: [#ROUTES]. Thread-safe.
///
/// A list ends at the limit or, if its texts are long, before. Then the header `Link` has the
/// target of what comes next; it is the same request with another `after`.
public final class AdminApi implements HttpServer.Page {
    /// What all its paths begin with.
    public static final String ROOT = "/api/v1/";

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 10_000;

    /// Characters of filters or names in one list, above which it ends: ten of the longest filters.
    static final int MAX_LISTED_CHARACTERS = 640 * 1024;

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
                    new Route("get", "/api/v1/consumers", "for whom most waits, of all topics"),
                    new Route(
                            "get",
                            "/api/v1/blocked",
                            "whose producers are held back, by whom, and why"),
                    new Route(
                            "get",
                            "/api/v1/selectors",
                            "the selectors that matching spends most time on, of all topics"),
                    new Route("get", "/api/v1/settings", "settings in force and their sources"),
                    new Route(
                            "post",
                            "/api/v1/reload",
                            "reads settings, users and certificates again, all or none"));

    private final TopicRegistry topics;
    private final BrokerState state;
    private final Settings settings;
    private final Explanations explanations;

    public AdminApi(
            TopicRegistry topics,
            Connections connections,
            BrokerCounters counters,
            Settings settings) {
        this.topics = topics;
        this.state = new BrokerState(topics, connections, counters);
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
        try {
            return route(request);
        } catch (IllegalArgumentException e) {
            return JsonPage.failure(400, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    @Override
    public CompletionStage<Response> post(Request request) {
        List<String> path = request.path().subList(2, request.path().size());
        if (!path.equals(List.of("reload"))) {
            return CompletableFuture.completedStage(Response.notAllowed("GET, HEAD", "POST"));
        }
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

    private CompletionStage<Response> route(Request request) throws IOException {
        List<String> path = request.path().subList(2, request.path().size());
        if (path.size() > 1 && !path.get(0).equals("topics")) {
            return unknown(path);
        }
        return switch (path.get(0)) {
            case "" -> JsonPage.of(ROUTES);
            case "openapi.json" -> openApi();
            case "overview" -> JsonPage.of(state.overview());
            case "connections" -> connections(request.parameters());
            case "consumers" ->
                    finish(state.slowest(limit(request.parameters())).thenCompose(JsonPage::of));
            case "blocked" -> blocked(request.parameters());
            case "selectors" -> JsonPage.of(state.costliest(limit(request.parameters())));
            case "settings" -> JsonPage.of(settings.settings());
            case "reload" -> CompletableFuture.completedStage(Response.notAllowed("POST", "GET"));
            case "topics" -> ofTopics(path, request.parameters());
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

    private CompletionStage<Response> connections(Map<String, List<String>> parameters) {
        String text = parameters.getOrDefault("after", List.of("0")).get(0);
        if (!text.matches("[0-9a-f]{1,16}")) {
            throw new IllegalArgumentException(
                    "after: expected up to 16 hexadecimal digits, found '" + text + "'");
        }
        long after = Long.parseUnsignedLong(text, 16);
        int limit = limit(parameters);
        return finish(
                state.connections(after, limit + 1)
                        .thenCompose(found -> {
                            int size = pageSize(found, limit, one -> one.client().length());
                            return JsonPage.of(
                                    found.subList(0, size),
                                    size < found.size()
                                            ? next(
                                                    ROOT + "connections",
                                                    found.get(size - 1).id(),
                                                    limit)
                                            : "");
                        }));
    }

    private CompletionStage<Response> blocked(Map<String, List<String>> parameters) {
        int limit = limit(parameters);
        BlockedTopics page = state.blocked(after(parameters), limit);
        return JsonPage.of(
                page.topics(),
                page.last().isEmpty() ? "" : next(ROOT + "blocked", page.last(), limit));
    }

    private static String after(Map<String, List<String>> parameters) {
        return parameters.getOrDefault("after", List.of("")).get(0);
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
        String after = after(parameters);
        int limit = limit(parameters);
        List<TopicInfo> found =
                topics.topics().stream()
                        .filter(topic -> topic.name().compareTo(after) > 0)
                        .sorted(Comparator.comparing(Topic::name))
                        .limit(limit + 1L)
                        .map(TopicInfo::new)
                        .toList();
        int size = pageSize(found, limit, topic -> topic.name().length());
        String next = size < found.size() ? found.get(size - 1).name() : "";
        return JsonPage.of(
                found.subList(0, size), next.isEmpty() ? "" : next(ROOT + "topics", next, limit));
    }

    private static String next(String path, String after, int limit) {
        return path
                + "?after="
                + URLEncoder.encode(after, StandardCharsets.UTF_8)
                + "&limit="
                + limit;
    }

    private CompletionStage<Response> ofTopic(
            Topic topic, List<String> path, Map<String, List<String>> parameters) {
        if (path.isEmpty()) {
            return JsonPage.of(new TopicInfo(topic));
        }
        if (path.equals(List.of("subscriptions"))) {
            int after = number(parameters, "after", 0, 0, Integer.MAX_VALUE);
            int limit = limit(parameters);
            return finish(
                    topic.list(after, limit + 1)
                            .thenCompose(found -> subscriptions(topic, found, limit)));
        }
        if (path.size() == 3
                && path.get(0).equals("subscriptions")
                && path.get(2).equals("explain")) {
            int id = number("subscription", path.get(1), 0, Integer.MAX_VALUE);
            return finish(
                    topic.explain(id)
                            .thenCompose(found ->
                                    found.map(info -> JsonPage.of(explanations.of(topic, info)))
                                            .orElseGet(() -> noSubscription(topic, id))));
        }
        return JsonPage.failure(
                404, "expected subscriptions or subscriptions/ID/explain after the topic's name");
    }

    private static CompletionStage<Response> subscriptions(
            Topic topic, List<SubscriptionInfo> found, int limit) {
        int size =
                pageSize(
                        found,
                        limit,
                        one -> one.selector().length() + one.correlationIdFilter().length());
        String path = ROOT + "topics/" + encode(topic.name()) + "/subscriptions";
        return JsonPage.of(
                found.subList(0, size),
                size < found.size()
                        ? next(path, String.valueOf(found.get(size - 1).id()), limit)
                        : "");
    }

    /// As a segment of a path.
    private static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// How many of them make a page: at least one, as far as an answer should be long.
    private static <T> int pageSize(List<T> found, int limit, ToIntFunction<T> characters) {
        int sum = 0;
        int size = 0;
        for (T one : found) {
            sum += characters.applyAsInt(one);
            if (size == limit || (sum > MAX_LISTED_CHARACTERS && size > 0)) {
                return size;
            }
            size++;
        }
        return size;
    }

    private static CompletionStage<Response> noSubscription(Topic topic, int id) {
        return JsonPage.failure(404, "topic '" + topic.name() + "' has no subscription " + id);
    }

    private static CompletionStage<Response> finish(CompletionStage<Response> response) {
        return response.handle(
                        (page, error) -> {
                            if (error == null) {
                                return CompletableFuture.completedStage(page);
                            }
                            Throwable cause = error.getCause() == null ? error : error.getCause();
                            return cause instanceof TimeoutException
                                    ? JsonPage.failure(
                                            503, "the topic's event loop did not answer in time")
                                    : CompletableFuture.<Response>failedStage(cause);
                        })
                .thenCompose(Function.identity());
    }

    private static int limit(Map<String, List<String>> parameters) {
        return number(parameters, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    }

    /// The number that a parameter gives.
    ///
    /// @throws IllegalArgumentException if it is not one, or out of range
    static int number(
            Map<String, List<String>> parameters, String name, int otherwise, int min, int max) {
        List<String> values = parameters.get(name);
        return values == null ? otherwise : number(name, values.get(0), min, max);
    }

    private static int number(String name, String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Told below.
        }
        throw new IllegalArgumentException(
                name + ": expected a number from " + min + " to " + max + ", found '" + text + "'");
    }
}
