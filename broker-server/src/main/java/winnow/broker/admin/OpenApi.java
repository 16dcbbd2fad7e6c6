package winnow.broker.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.Precondition;
import winnow.broker.admin.request.RouteAccess;
import winnow.broker.admin.request.Verb;
import winnow.broker.transport.HttpServer;

/// The description of the API for programs (OpenAPI 3.1), made of its routes. Used by one thread.
final class OpenApi {
    private static final String PROBLEM = "Problem";

    /// The groups of the routes, by the first segment of their paths; all others are the broker's.
    private static final Map<String, String> TAGS = tags();

    private static final String BROKER = "broker";

    private final Schemas schemas = new Schemas();

    private OpenApi() {}

    /// The document, of maps, lists and plain values.
    static Map<String, Object> of(Routes routes) {
        return new OpenApi().document(routes);
    }

    private static Map<String, String> tags() {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put(BROKER, "The broker as a whole");
        tags.put("topics", "Topics in use and their live subscriptions");
        tags.put("queues", "Queues and the messages that wait in them");
        tags.put("subscriptions", "Durable and shared subscriptions of all topics");
        tags.put("connections", "Connections of clients");
        tags.put("transactions", "Distributed transactions that are prepared");
        tags.put("storage", "The files of the broker and their backups");
        tags.put("cluster", "The cluster that the broker is a node of");
        tags.put("users", "Users of the user file");
        return tags;
    }

    private Map<String, Object> document(Routes routes) {
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (Route route : routes.all()) {
            paths.computeIfAbsent(route.wholePath(), _ -> new LinkedHashMap<>())
                    .put(route.verb().name().toLowerCase(Locale.ROOT), operation(route));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", info());
        document.put("servers", List.of(Map.of("url", "/", "description", "this broker")));
        document.put(
                "security",
                List.of(Map.of(), Map.of("basic", List.of()), Map.of("bearer", List.of())));
        document.put("tags", TAGS.entrySet().stream().map(OpenApi::tag).toList());
        document.put("paths", paths);
        document.put("components", components());
        return document;
    }

    private static Map<String, Object> info() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("title", "Winnow's administration API");
        info.put("version", "1");
        info.put(
                "description",
                "Shows and changes what a running broker has. Asks for HTTP Basic or a bearer token"
                        + " if clients need credentials. Answers may have further fields in later"
                        + " versions.");
        info.put("contact", Map.of("name", "Winnow"));
        info.put("license", Map.of("name", "Apache 2.0", "identifier", "Apache-2.0"));
        return info;
    }

    private static Map<String, String> tag(Map.Entry<String, String> tag) {
        return Map.of("name", tag.getKey(), "description", tag.getValue());
    }

    private static String tag(Route route) {
        String first = route.segments().getFirst();
        return TAGS.containsKey(first) ? first : BROKER;
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", route.operation());
        operation.put("summary", route.summary());
        operation.put("description", description(route));
        operation.put("tags", List.of(tag(route)));
        List<Object> parameters = new ArrayList<>();
        route.segments().stream()
                .filter(Route::isName)
                .map(OpenApi::ofPath)
                .forEach(parameters::add);
        route.parameters().stream().map(OpenApi::ofQuery).forEach(parameters::add);
        if (route.conditional()) {
            parameters.add(
                    ofHeader(Precondition.IF_MATCH, "ETags of which it must have one, * for any"));
            parameters.add(
                    ofHeader(Precondition.IF_NONE_MATCH, "* to change nothing that is there"));
        }
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        Class<?> body = route.body();
        if (body != null) {
            operation.put("requestBody", requestBody(body));
        }
        operation.put("responses", responses(route));
        return operation;
    }

    private Map<String, Object> requestBody(Class<?> type) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("required", true);
        body.put("content", Map.of("application/json", Map.of("schema", schemas.of(type))));
        return body;
    }

    private static Map<String, Object> ofHeader(String name, String description) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", name);
        parameter.put("in", "header");
        parameter.put("required", false);
        parameter.put("description", description);
        parameter.put("schema", Map.of("type", "string"));
        return parameter;
    }

    private static String description(Route route) {
        String summary = route.summary();
        String sentence = summary.substring(0, 1).toUpperCase(Locale.ROOT) + summary.substring(1);
        return sentence
                + "."
                + (route.paged()
                        ? " An answer ends at the limit, or before if its texts are long; then its"
                                + " header Link has the target of the next page."
                        : "")
                + (route.verb() == Verb.GET ? "" : " The broker's log says who did it.")
                + (route.access().text().isEmpty()
                        ? ""
                        : " Where there are permissions, it is for '%s'."
                                .formatted(route.access().text()));
    }

    private static Map<String, Object> ofPath(String segment) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        String name = segment.substring(1, segment.length() - 1);
        parameter.put("name", name);
        parameter.put("in", "path");
        parameter.put("required", true);
        parameter.put("description", "which " + name + ", as the list of them says");
        parameter.put("schema", Map.of("type", "string"));
        return parameter;
    }

    private static Map<String, Object> ofQuery(Parameter one) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", one.text());
        parameter.put("in", "query");
        parameter.put("required", one.required());
        parameter.put("description", one.description());
        parameter.put("schema", one.schema());
        return parameter;
    }

    private Map<String, Object> responses(Route route) {
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put("200", answer(route));
        if (route.verb() == Verb.PUT) {
            responses.put("201", answer(route));
        }
        responses.put("400", problem("a parameter is wrong, or one that is needed is missing"));
        responses.put("401", problem("user and password, or the token, are missing or wrong"));
        responses.put("403", problem("this client may not ask, and why"));
        if (route.path().contains("{")) {
            responses.put("404", problem("there is none of that name or number"));
        }
        if (!route.conflict().isEmpty()) {
            responses.put("409", problem(route.conflict()));
        }
        if (route.conditional()) {
            responses.put("412", problem("If-Match or If-None-Match does not hold"));
        }
        if (route.body() != null) {
            responses.put("413", problem("the body is longer than 16 KiB"));
            responses.put("415", problem("the body is not application/json"));
        }
        responses.put("503", problem("the broker cannot answer at the moment, and why"));
        responses.put("default", problem("another problem"));
        return responses;
    }

    private Map<String, Object> answer(Route route) {
        Map<String, Object> schema = schemas.of(route.answer());
        if (route.list()) {
            schema = Map.of("type", "array", "items", schema);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("description", "the answer");
        Map<String, Object> headers = new LinkedHashMap<>();
        if (route.paged()) {
            headers.put("Link", headerReference("Link"));
        }
        if (route.access() instanceof RouteAccess.Listed) {
            headers.put(HttpServer.FILTER_HEADER, headerReference(HttpServer.FILTER_HEADER));
        }
        if (!headers.isEmpty()) {
            answer.put("headers", headers);
        }
        answer.put("content", Map.of("application/json", Map.of("schema", schema)));
        return answer;
    }

    private static Map<String, Object> headerReference(String name) {
        return Map.of("$ref", "#/components/headers/" + name);
    }

    private static Map<String, Object> header(String description) {
        return Map.of("description", description, "schema", Map.of("type", "string"));
    }

    private static Map<String, Object> problem(String description) {
        return Map.of(
                "description",
                description,
                "content",
                Map.of("application/problem+json", Map.of("schema", Schemas.reference(PROBLEM))));
    }

    private Map<String, Object> components() {
        schemas.add(PROBLEM, problemSchema());
        Map<String, Object> components = new LinkedHashMap<>();
        components.put("schemas", schemas.named());
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put(
                "Link",
                header(
                        "target of the next page, as <TARGET>; rel=\"next\"; missing on the last"
                                + " page"));
        headers.put(
                HttpServer.FILTER_HEADER,
                header(
                        "operation that the user may not do on everything: entries are left out on"
                                + " which it is not allowed; missing where none are"));
        components.put("headers", headers);
        components.put(
                "securitySchemes",
                Map.of(
                        "basic",
                        Map.of("type", "http", "scheme", "basic"),
                        "bearer",
                        Map.of("type", "http", "scheme", "bearer", "bearerFormat", "JWT")));
        return components;
    }

    /// Schema of problem details (RFC 9457).
    private static Map<String, Object> problemSchema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("title", Map.of("type", "string"));
        properties.put("status", Map.of("type", "integer", "format", "int32"));
        properties.put("detail", Map.of("type", "string"));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.copyOf(properties.keySet()));
        return schema;
    }
}
