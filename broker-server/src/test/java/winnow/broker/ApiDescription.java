package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The API as `openapi.json` describes it, which answers are compared with. It knows the words of
/// JSON schemas that the description uses, and takes no others. A field that is not described is
/// wrong.
final class ApiDescription {
    private static final Set<String> WORDS =
            Set.of(
                    "$ref",
                    "anyOf",
                    "type",
                    "format",
                    "enum",
                    "items",
                    "properties",
                    "required",
                    "additionalProperties");

    private final JsonNode document;
    private final Set<String> emptyLists = new TreeSet<>();
    private final Set<String> filledLists = new TreeSet<>();

    ApiDescription(JsonNode document) {
        this.document = document;
    }

    /// As `get /path`.
    List<String> operations() {
        List<String> operations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                operations.add(operation.getKey() + " " + path.getKey());
            }
        }
        return operations;
    }

    List<String> operationIds() {
        return document.path("paths").findValuesAsText("operationId");
    }

    /// Questions whose answer is a list that never had an entry in what was checked.
    Set<String> emptyLists() {
        Set<String> empty = new TreeSet<>(emptyLists);
        empty.removeAll(filledLists);
        return empty;
    }

    /// Demands that an answer is one of those that are described, with their status.
    void check(String method, String path, HttpResponse<String> response) throws IOException {
        JsonNode operation = document.path("paths").path(path).path(method);
        JsonNode described = operation.path("responses").path("" + response.statusCode());
        assertThat(described.isObject())
                .as("%s of %s %s", response.statusCode(), method, path)
                .isTrue();
        String type = response.headers().firstValue("Content-Type").orElse("");
        JsonNode schema = described.path("content").path(type).path("schema");
        assertThat(schema.isObject()).as("%s of %s %s", type, method, path).isTrue();
        JsonNode answer = JsonMapper.builder().build().readTree(response.body());
        check(schema, answer, operation.path("operationId").asText());
    }

    private void check(JsonNode schema, JsonNode value, String where) {
        schema.fieldNames().forEachRemaining(word -> assertThat(WORDS).as(where).contains(word));
        if (schema.has("$ref")) {
            String name = schema.path("$ref").asText();
            assertThat(name).startsWith("#/components/schemas/");
            JsonNode named = document.at(name.substring(1));
            assertThat(named.isObject()).as(name).isTrue();
            check(named, value, where);
        } else if (schema.has("anyOf")) {
            if (!value.isNull()) {
                check(schema.path("anyOf").get(0), value, where);
            }
        } else {
            assertThat(types(schema)).as(where + " " + value).contains(type(value, schema));
            checkParts(schema, value, where);
        }
    }

    private static List<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        List<String> types = new ArrayList<>();
        type.forEach(one -> types.add(one.asText()));
        return type.isArray() ? types : List.of(type.asText());
    }

    private static String type(JsonNode value, JsonNode schema) {
        return switch (value.getNodeType()) {
            case NUMBER ->
                    types(schema).contains("integer") && value.isIntegralNumber()
                            ? "integer"
                            : "number";
            case POJO, MISSING, BINARY -> "none";
            case ARRAY -> "array";
            case BOOLEAN -> "boolean";
            case NULL -> "null";
            case OBJECT -> "object";
            case STRING -> "string";
        };
    }

    private void checkParts(JsonNode schema, JsonNode value, String where) {
        if (schema.has("enum")) {
            List<String> names = new ArrayList<>();
            schema.path("enum").forEach(one -> names.add(one.asText()));
            assertThat(names).as(where).contains(value.asText());
        }
        if (value.isArray()) {
            if (!where.contains(".")) {
                (value.isEmpty() ? emptyLists : filledLists).add(where);
            }
            value.forEach(one -> check(schema.path("items"), one, where + "[]"));
        } else if (value.isObject()) {
            checkFields(schema, value, where);
        }
    }

    private void checkFields(JsonNode schema, JsonNode value, String where) {
        schema.path("required")
                .forEach(name -> assertThat(value.has(name.asText())).as(where + name).isTrue());
        JsonNode others = schema.path("additionalProperties");
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode described = schema.path("properties").path(field.getKey());
            String inside = where + "." + field.getKey();
            if (described.isObject()) {
                check(described, field.getValue(), inside);
            } else if (others.isObject()) {
                check(others, field.getValue(), inside);
            } else {
                assertThat(others.asBoolean()).as(inside + " is described").isTrue();
            }
        }
    }
}
