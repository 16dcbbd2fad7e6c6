package winnow.selector.diagnose;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Words that look alike.
final class Spelling {

    /// Letters that may be wrong, missing or too many.
    private static final int MAX_DISTANCE = 3;

    /// A longer word is no misspelling of a header field.
    private static final int MAX_LENGTH = 40;

    private Spelling() {}

    /// The word that differs least from another, whatever the case.
    static Optional<String> nearest(String word, Collection<String> words) {
        if (word.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String nearest = null;
        int least = MAX_DISTANCE + 1;
        for (String candidate : words) {
            int distance =
                    distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /// Levenshtein's.
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    /// The ways in which a word is usually written: as it is, in capitals, in small letters, with
    /// one capital.
    static List<String> cases(String word) {
        LinkedHashSet<String> cases = new LinkedHashSet<>();
        cases.add(word);
        cases.add(word.toUpperCase(Locale.ROOT));
        cases.add(word.toLowerCase(Locale.ROOT));
        if (!word.isEmpty()) {
            int first = word.offsetByCodePoints(0, 1);
            cases.add(
                    word.substring(0, first).toUpperCase(Locale.ROOT)
                            + word.substring(first).toLowerCase(Locale.ROOT));
        }
        return List.copyOf(cases);
    }
}
