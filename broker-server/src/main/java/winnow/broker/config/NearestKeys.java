package winnow.broker.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import winnow.cli.Nearest;

/// Finds what somebody may have meant by a key that does not exist.
public final class NearestKeys {
    private static final int MOST = 3;

    private NearestKeys() {}

    /// Addition to an error: `; did you mean 'a' or 'b'?`, or where all keys are listed.
    ///
    /// @param written how a key is written where the error is
    static String hint(String key, Collection<String> known, UnaryOperator<String> written) {
        String near = suggestion(key, known, written);
        return near.isEmpty() ? "; 'winnow config show' lists all" : near;
    }

    /// The same, empty where nothing is near.
    public static String suggestion(
            String key, Collection<String> known, UnaryOperator<String> written) {
        String plain = plain(key);
        int limit = Math.max(2, plain.length() / 3);
        List<String> near =
                known.stream()
                        .filter(one -> distance(plain, one) <= limit)
                        .sorted(
                                Comparator.<String>comparingInt(one -> distance(plain, one))
                                        .thenComparing(Comparator.naturalOrder()))
                        .limit(MOST)
                        .toList();
        if (near.isEmpty()) {
            return "";
        }
        int best = distance(plain, near.get(0));
        return near.stream()
                .filter(one -> distance(plain, one) <= best + 1)
                .map(written)
                .collect(Collectors.joining("' or '", "; did you mean '", "'?"));
    }

    /// As keys are written: `totalBuffer` and `TOTAL_BUFFER` become `total-buffer`.
    private static String plain(String key) {
        return key.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .toLowerCase(Locale.ROOT)
                .replace('_', '-');
    }

    /// Of the whole key, or of its name alone where the section is missing or another one.
    private static int distance(String key, String known) {
        String name = known.substring(known.lastIndexOf('.') + 1);
        String own = key.substring(key.lastIndexOf('.') + 1);
        int whole = Nearest.distance(key.replace('.', '-'), known.replace('.', '-'));
        return Math.min(whole, Nearest.distance(own, name) + (own.equals(key) ? 0 : 1));
    }
}
