package winnow.broker.admin.request;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.broker.transport.HttpServer.Headers;

/// Condition of a change: the headers `If-Match` and `If-None-Match` of a request (RFC 9110, 13.1).
/// Immutable.
///
/// @param match tags of which the object must have one, empty for any
/// @param noneMatch tags of which it must have none, empty for no condition
public record Precondition(List<String> match, List<String> noneMatch) {
    public static final String IF_MATCH = "If-Match";
    public static final String IF_NONE_MATCH = "If-None-Match";

    private static final String ANY = "*";
    private static final String WEAK = "W/";

    /// A tag, and the comma in front of the next one.
    private static final Pattern TAG = Pattern.compile("[ \\t]*((?:W/)?\"[^\"]*\")[ \\t]*(?:,|$)");

    public Precondition {
        match = List.copyOf(match);
        noneMatch = List.copyOf(noneMatch);
    }

    /// @throws IllegalArgumentException if a header has no ETags
    public static Precondition of(Headers headers) {
        return new Precondition(
                tags(IF_MATCH, headers.ifMatch()), tags(IF_NONE_MATCH, headers.ifNoneMatch()));
    }

    private static List<String> tags(String header, String value) {
        String text = value.strip();
        if (text.isEmpty()) {
            return List.of();
        }
        if (text.equals(ANY)) {
            return List.of(ANY);
        }
        List<String> tags = new ArrayList<>();
        Matcher matcher = TAG.matcher(text);
        int end = 0;
        while (end < text.length() && matcher.find(end) && matcher.start() == end) {
            tags.add(matcher.group(1));
            end = matcher.end();
        }
        if (end < text.length() || text.endsWith(",")) {
            throw new IllegalArgumentException(
                    header + ": expected * or ETags in double quotes, found '" + text + "'");
        }
        return tags;
    }

    /// Demands that the object is as the request says.
    ///
    /// @param object for people
    /// @param etag of it, empty if it is not there
    /// @throws ProblemException if not
    public void check(String object, String etag) {
        if (!match.isEmpty() && !hasAny(match, etag, false)) {
            throw new ProblemException(
                    412,
                    etag.isEmpty()
                            ? "there is no " + object + " (If-Match)"
                            : object + " has changed, its ETag is now " + etag + " (If-Match)");
        }
        if (!noneMatch.isEmpty() && hasAny(noneMatch, etag, true)) {
            throw new ProblemException(412, "there is " + object + " already (If-None-Match)");
        }
    }

    /// @param weakly whether a weak tag counts
    private static boolean hasAny(List<String> tags, String etag, boolean weakly) {
        if (etag.isEmpty()) {
            return false;
        }
        return tags.contains(ANY) || tags.contains(etag) || (weakly && tags.contains(WEAK + etag));
    }
}
