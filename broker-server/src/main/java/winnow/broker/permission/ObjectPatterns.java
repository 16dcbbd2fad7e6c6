package winnow.broker.permission;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import winnow.broker.config.NamePattern;

/// Patterns of names in one rule: names, patterns with `*`, and templates with `${user}` or
/// `${client}`. Immutable.
///
/// @param texts all of them, as they are written
/// @param names that stand for themselves
/// @param patterns with `*`
/// @param templates with variables
record ObjectPatterns(
        List<String> texts, Set<String> names, List<NamePattern> patterns, List<String> templates) {
    static final String USER = "${user}";
    static final String CLIENT = "${client}";

    ObjectPatterns {
        texts = List.copyOf(texts);
        names = Set.copyOf(names);
        patterns = List.copyOf(patterns);
        templates = List.copyOf(templates);
    }

    static ObjectPatterns of(List<String> texts) {
        Set<String> names = new HashSet<>();
        List<NamePattern> patterns = new ArrayList<>();
        List<String> templates = new ArrayList<>();
        for (String text : texts) {
            if (text.contains(USER) || text.contains(CLIENT)) {
                templates.add(text);
            } else if (text.indexOf('*') >= 0) {
                patterns.add(new NamePattern(text));
            } else {
                names.add(text);
            }
        }
        return new ObjectPatterns(texts, names, patterns, templates);
    }

    /// Returns the patterns that begin with a text.
    ObjectPatterns beginningWith(String prefix) {
        return prefix.isEmpty()
                ? this
                : of(texts.stream().filter(one -> one.startsWith(prefix)).toList());
    }

    /// True if one of them fits a name.
    ///
    /// @param client identifier of the client that asks, empty if there is none
    boolean fits(String name, String user, String client) {
        if (names.contains(name)) {
            return true;
        }
        for (NamePattern one : patterns) {
            if (one.fits(name)) {
                return true;
            }
        }
        for (String one : templates) {
            if (fits(one, name, user, client)) {
                return true;
            }
        }
        return false;
    }

    /// A value with `*` would become a pattern that its owner has chosen: it fits nothing, and
    /// neither does one that is missing.
    private static boolean fits(String template, String name, String user, String client) {
        return isUsable(template, USER, user)
                && isUsable(template, CLIENT, client)
                && new NamePattern(expanded(template, user, client)).fits(name);
    }

    private static boolean isUsable(String template, String variable, String value) {
        return !template.contains(variable) || (!value.isEmpty() && value.indexOf('*') < 0);
    }

    /// Replaces each variable once: what a value contains is not looked at again.
    private static String expanded(String template, String user, String client) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            if (template.startsWith(USER, at)) {
                text.append(user);
                at += USER.length();
            } else if (template.startsWith(CLIENT, at)) {
                text.append(client);
                at += CLIENT.length();
            } else {
                text.append(template.charAt(at++));
            }
        }
        return text.toString();
    }

    /// True if every name fits.
    boolean fitsAll() {
        return patterns.stream().anyMatch(one -> one.name().matches("\\*+"));
    }
}
