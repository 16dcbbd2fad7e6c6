package winnow.broker.identity;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.wire.Printable;

/// Place of a value in the claims of a token: the name of a claim, or names of claims within claims
/// that are joined by dots. A claim whose whole name is the path comes first, since names may have
/// dots in them. Immutable.
///
/// @param text such as `realm_access.roles`
/// @param setting that says it
record ClaimPath(String text, String setting) {
    private @Nullable Object value(Map<String, Object> claims) {
        Object whole = claims.get(text);
        if (whole != null) {
            return whole;
        }
        Object found = claims;
        for (String step : text.split("\\.", -1)) {
            found = found instanceof Map<?, ?> object ? object.get(step) : null;
        }
        return found;
    }

    /// The text at this place.
    ///
    /// @throws RefusedIdentity if there is none
    String requireText(Map<String, Object> claims) throws RefusedIdentity {
        Object found = value(claims);
        if (found instanceof String one) {
            return one;
        }
        throw new RefusedIdentity(
                "token: expected a text in the claim '%s' (%s), found %s"
                        .formatted(text, setting, kind(found)));
    }

    /// The texts at this place: of a list its entries, of a text its words. None if nothing is
    /// there.
    ///
    /// @throws RefusedIdentity if something else is there
    Set<String> texts(Map<String, Object> claims) throws RefusedIdentity {
        Object found = text.isEmpty() ? null : value(claims);
        List<Object> entries = new ArrayList<>();
        if (found instanceof List<?> list) {
            entries.addAll(list);
        } else if (found instanceof String words) {
            entries.addAll(List.of(words.strip().split(" +", -1)));
        } else if (found != null) {
            throw notTexts(kind(found));
        }
        Set<String> texts = new LinkedHashSet<>();
        for (Object entry : entries) {
            if (!(entry instanceof String one)) {
                throw notTexts("a list with " + kind(entry));
            }
            if (!one.isEmpty()) {
                texts.add(one);
            }
        }
        return texts;
    }

    private RefusedIdentity notTexts(String found) {
        return new RefusedIdentity(
                "token: expected a list of texts in the claim '%s' (%s), found %s"
                        .formatted(text, setting, found));
    }

    private static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "none";
            case List<?> _ -> "a list";
            case Map<?, ?> _ -> "an object";
            case String _ -> "a text";
            default -> "'" + Printable.of(value.toString()) + "'";
        };
    }
}
