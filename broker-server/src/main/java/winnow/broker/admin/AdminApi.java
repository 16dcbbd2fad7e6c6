package winnow.broker.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import winnow.broker.destination.SubscriptionInfo;
import winnow.broker.destination.Topic;
import winnow.broker.destination.TopicRegistry;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.session.Authenticator;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// The administration API: `GET /api/v1/...` answered as JSON. If clients need credentials, so does
/// this, as HTTP Basic. Thread-safe.
///
/// ```
/// /api/v1/topics                                    topics by name
/// /api/v1/topics/{topic}                            one topic
/// /api/v1/topics/{topic}/subscriptions              its subscriptions, ?after=ID&limit=N
/// /api/v1/topics/{topic}/subscriptions/{id}/explain how the selector of one is doing
/// ```
///
/// A list of subscriptions ends at the limit or, if their selectors are long, before; what comes
/// after its last one is asked for with `after`, until nothing comes.
public final class AdminApi implements HttpServer.Page {
    /// What all its paths begin with.
    public static final String ROOT = "/api/v1/";

    private static final String JSON = "application/json";
    private static final String BASIC = "Basic ";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 10_000;

    /// Characters of filters in one list, above which it ends: ten of the longest.
    private static final int MAX_LISTED_CHARACTERS = 640 * 1024;

    private final TopicRegistry topics;
    private final Authenticator authenticator;
    private final BrokerCounters counters;
    private final Explanations explanations;

    public AdminApi(TopicRegistry topics, Authenticator authenticator, BrokerCounters counters) {
        this.topics = topics;
        this.authenticator = authenticator;
        this.counters = counters;
        this.explanations = new Explanations(counters);
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

    /// What a failed request is answered with.
    record Failure(String error) {}

    @Override
    public CompletionStage<Response> get(Request request) {
        if (!authenticator.demandsCredentials()) {
            return answer(request);
        }
        String authorization = request.authorization();
        if (authorization.isEmpty()) {
            // Browsers ask so first, which is no failure.
            return failure(401, "this broker demands a user and a password, as HTTP Basic");
        }
        String plain = plain(authorization);
        if (plain.isEmpty()) {
            counters.authenticationFailures.increment();
            return failure(401, "Authorization: expected Basic and user:password in base 64");
        }
        CompletableFuture<String> refusal = new CompletableFuture<>();
        Runnable giveUp =
                authenticator.authenticate(
                        new Authenticator.Credentials("PLAIN", plain, request.address()),
                        refusal::complete);
        CompletableFuture<Response> answer =
                refusal.thenCompose(why -> why.isEmpty() ? answer(request) : refused(why));
        var _ = answer.whenComplete((_, _) -> giveUp.run());
        return answer;
    }

    private CompletionStage<Response> refused(String why) {
        counters.authenticationFailures.increment();
        return failure(401, why);
    }

    /// The SASL PLAIN response that says what a Basic authorization header says, empty if it is not
    /// one.
    private static String plain(String authorization) {
        if (!authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return "";
        }
        try {
            String text = authorization.substring(BASIC.length()).strip();
            byte[] decoded = Base64.getDecoder().decode(text);
            return "\0" + new String(decoded, StandardCharsets.UTF_8).replaceFirst(":", "\0");
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private CompletionStage<Response> answer(Request request) {
        try {
            return route(request);
        } catch (IllegalArgumentException e) {
            return failure(400, String.valueOf(e.getMessage()));
        }
    }

    private CompletionStage<Response> route(Request request) {
        List<String> path = request.path().subList(2, request.path().size());
        if (!path.get(0).equals("topics")) {
            return failure(404, "expected " + ROOT + "topics, found '" + path.get(0) + "'");
        }
        if (path.size() == 1) {
            return json(
                    topics.topics().stream()
                            .map(TopicInfo::new)
                            .sorted(Comparator.comparing(TopicInfo::name))
                            .toList());
        }
        String name = path.get(1);
        return topics.find(name)
                .map(topic -> ofTopic(topic, path.subList(2, path.size()), request.parameters()))
                .orElseGet(() -> failure(404, "no topic '" + name + "' is in use"));
    }

    private CompletionStage<Response> ofTopic(
            Topic topic, List<String> path, Map<String, List<String>> parameters) {
        if (path.isEmpty()) {
            return json(new TopicInfo(topic));
        }
        if (path.equals(List.of("subscriptions"))) {
            int after = number(parameters, "after", 0, Integer.MAX_VALUE);
            int limit = number(parameters, "limit", DEFAULT_LIMIT, MAX_LIMIT);
            return finish(topic.list(after, limit).thenCompose(list -> json(page(list))));
        }
        if (path.size() == 3
                && path.get(0).equals("subscriptions")
                && path.get(2).equals("explain")) {
            int id = number("subscription", path.get(1), Integer.MAX_VALUE);
            return finish(
                    topic.explain(id)
                            .thenCompose(found ->
                                    found.map(info -> json(explanations.of(topic, info)))
                                            .orElseGet(() -> noSubscription(topic, id))));
        }
        return failure(
                404, "expected subscriptions or subscriptions/ID/explain after the topic's name");
    }

    /// The first of them, at least one, as far as an answer should be long.
    private static List<SubscriptionInfo> page(List<SubscriptionInfo> all) {
        int characters = 0;
        for (int i = 0; i < all.size(); i++) {
            SubscriptionInfo one = all.get(i);
            characters += one.selector().length() + one.correlationIdFilter().length();
            if (characters > MAX_LISTED_CHARACTERS && i > 0) {
                return all.subList(0, i);
            }
        }
        return all;
    }

    private static CompletionStage<Response> noSubscription(Topic topic, int id) {
        return failure(404, "topic '" + topic.name() + "' has no subscription " + id);
    }

    private static CompletionStage<Response> finish(CompletionStage<Response> response) {
        return response.handle(
                        (page, error) -> {
                            if (error == null) {
                                return CompletableFuture.completedStage(page);
                            }
                            Throwable cause = error.getCause() == null ? error : error.getCause();
                            return cause instanceof TimeoutException
                                    ? failure(503, "the topic's event loop did not answer in time")
                                    : CompletableFuture.<Response>failedStage(cause);
                        })
                .thenCompose(Function.identity());
    }

    private static int number(
            Map<String, List<String>> parameters, String name, int otherwise, int max) {
        List<String> values = parameters.get(name);
        return values == null ? otherwise : number(name, values.get(0), max);
    }

    private static int number(String name, String text, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Told below.
        }
        throw new IllegalArgumentException(
                name + ": expected a number from 0 to " + max + ", found '" + text + "'");
    }

    private static CompletionStage<Response> failure(int status, String message) {
        return CompletableFuture.completedStage(response(status, new Failure(message)));
    }

    private static CompletionStage<Response> json(Object value) {
        return CompletableFuture.completedStage(response(200, value));
    }

    private static Response response(int status, Object value) {
        try {
            return new Response(status, JSON, Mapper.JSON.writeValueAsString(value) + "\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of plain values have a JSON form", e);
        }
    }

    /// Made at the first use, because loading the library takes a part of the broker's start.
    private static final class Mapper {
        static final JsonMapper JSON = JsonMapper.builder().build();
    }
}
