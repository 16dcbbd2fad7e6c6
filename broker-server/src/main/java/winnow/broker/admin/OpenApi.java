package winnow.broker.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        operation.put("responses", responses(route));
        return operation;
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
        responses.put("400", problem("a parameter is wrong, or one that is needed is missing"));
        responses.put("401", problem("user and password, or the token, are missing or wrong"));
        responses.put("403", problem("this client may not ask, and why"));
        if (route.path().contains("{")) {
            responses.put("404", problem("there is none of that name or number"));
        }
        if (!route.conflict().isEmpty()) {
            responses.put("409", problem(route.conflict()));
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
        if (route.paged()) {
            answer.put("headers", Map.of("Link", Map.of("$ref", "#/components/headers/Link")));
        }
        answer.put("content", Map.of("application/json", Map.of("schema", schema)));
        return answer;
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
        components.put(
                "headers",
                Map.of(
                        "Link",
                        Map.of(
                                "description",
                                "target of the next page, as <TARGET>; rel=\"next\"; missing on"
                                        + " the last page",
                                "schema",
                                Map.of("type", "string"))));
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
