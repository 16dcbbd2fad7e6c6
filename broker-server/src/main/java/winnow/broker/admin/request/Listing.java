package winnow.broker.admin.request;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/// Lists that are answered page by page: their parameters, how long a page is, and where the next
/// one is.
public final class Listing {
    static final int DEFAULT_LIMIT = 100;
    static final int MAX_LIMIT = 10_000;

    /// Characters of filters or names in one list, above which it ends: ten of the longest filters.
    public static final int MAX_CHARACTERS = 640 * 1024;

    private Listing() {}

    /// The parameter `limit`.
    ///
    /// @throws IllegalArgumentException if it is no number, or out of range
    static int limit(Map<String, List<String>> parameters) {
        return number(parameters, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    }

    /// The parameter with that name, empty if it is not there.
    public static String text(Map<String, List<String>> parameters, String name) {
        return parameters.getOrDefault(name, List.of("")).get(0);
    }

    /// Target of what comes after a page.
    static String next(String path, String after, int limit) {
        return path
                + "?after="
                + URLEncoder.encode(after, StandardCharsets.UTF_8)
                + "&limit="
                + limit;
    }

    /// As a segment of a path.
    public static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Number of them that make a page: at least one, as far as an answer should be long.
    static <T> int pageSize(List<T> found, int limit, ToIntFunction<T> characters) {
        int sum = 0;
        int size = 0;
        for (T one : found) {
            sum += characters.applyAsInt(one);
            if (size == limit || (sum > MAX_CHARACTERS && size > 0)) {
                return size;
            }
            size++;
        }
        return size;
    }

    /// The number that a parameter gives.
    ///
    /// @throws IllegalArgumentException if it is not one, or out of range
    public static int number(
            Map<String, List<String>> parameters, String name, int otherwise, int min, int max) {
        List<String> values = parameters.get(name);
        return values == null ? otherwise : number(name, values.get(0), min, max);
    }

    /// The number that a text is.
    ///
    /// @param name of it, for people
    /// @throws IllegalArgumentException if it is not one, or out of range
    public static int number(String name, String text, int min, int max) {
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
