package winnow.broker.admin;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// JSON schemas of the records that are answered, made of the records themselves. A record is a
/// schema with a name, its own. Used by one thread.
final class Schemas {
    private final Map<String, Class<?>> classes = new TreeMap<>();
    private final Map<String, Object> named = new TreeMap<>();

    /// Schemas by name, of all records that were asked for and of those in them.
    Map<String, Object> named() {
        return named;
    }

    /// Adds a schema that is no record's.
    void add(String name, Map<String, Object> schema) {
        named.put(name, schema);
    }

    static Map<String, Object> reference(String name) {
        return Map.of("$ref", "#/components/schemas/" + name);
    }

    /// The schema of a class's JSON.
    Map<String, Object> of(Class<?> type) {
        if (type.isRecord()) {
            return record(type);
        } else if (type.isEnum()) {
            return object(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants())
                            .map(one -> ((Enum<?>) one).name())
                            .toList());
        } else if (type == String.class) {
            return object("type", "string");
        } else if (type == boolean.class || type == Boolean.class) {
            return object("type", "boolean");
        } else if (type == int.class || type == Integer.class) {
            return object("type", "integer", "format", "int32");
        } else if (type == long.class || type == Long.class) {
            return object("type", "integer", "format", "int64");
        } else if (type == double.class || type == Double.class) {
            return object("type", "number", "format", "double");
        } else if (type == Map.class) {
            return object("type", "object", "additionalProperties", true);
        } else if (type == Object.class) {
            return object("type", List.of("string", "number", "boolean"));
        }
        throw new IllegalStateException("expected a record or plain values, found " + type);
    }

    private static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    private Map<String, Object> record(Class<?> type) {
        String name = type.getSimpleName();
        Class<?> known = classes.put(name, type);
        if (known == null) {
            Map<String, Object> properties = new LinkedHashMap<>();
            for (RecordComponent one : type.getRecordComponents()) {
                properties.put(one.getName(), of(one.getAnnotatedType()));
            }
            named.put(
                    name,
                    object(
                            "type",
                            "object",
                            "properties",
                            properties,
                            "required",
                            new ArrayList<>(properties.keySet())));
        } else if (known != type) {
            throw new IllegalStateException(
                    "expected records of different names, found " + known + " and " + type);
        }
        return reference(name);
    }

    private Map<String, Object> of(AnnotatedType type) {
        Map<String, Object> schema = ofValue(type);
        return type.isAnnotationPresent(Nullable.class) ? orNull(schema) : schema;
    }

    private Map<String, Object> ofValue(AnnotatedType type) {
        if (type instanceof AnnotatedParameterizedType several
                && type.getType() instanceof ParameterizedType generic) {
            AnnotatedType[] parts = several.getAnnotatedActualTypeArguments();
            Type raw = generic.getRawType();
            if (raw == List.class) {
                return object("type", "array", "items", of(parts[0]));
            } else if (raw == Map.class) {
                return object("type", "object", "additionalProperties", of(parts[1]));
            }
        }
        if (type.getType() instanceof Class<?> plain) {
            return of(plain);
        }
        throw new IllegalStateException("expected a list, a map or a class, found " + type);
    }

    private static Map<String, Object> orNull(Map<String, Object> schema) {
        Object type = schema.get("type");
        if (type == null) {
            return object("anyOf", List.of(schema, Map.of("type", "null")));
        }
        List<Object> types =
                new ArrayList<>(type instanceof List<?> several ? several : List.of(type));
        types.add("null");
        Map<String, Object> nullable = new LinkedHashMap<>(schema);
        nullable.put("type", types);
        return nullable;
    }
}
