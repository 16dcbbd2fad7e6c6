package winnow.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the known word that a misspelt one was meant to be.
public final class Nearest {

    /// One wrong letter in three is a misspelling, more is another word.
    private static final int LETTERS_PER_MISTAKE = 3;

    private Nearest() {}

    /// The known word with the fewest letters to insert, remove or replace; empty if all are too
    /// different. Upper and lower case are the same.
    public static Optional<String> to(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= allowed(word, candidate))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    private static int allowed(String word, String candidate) {
        return Math.max(1, Math.max(word.length(), candidate.length()) / LETTERS_PER_MISTAKE);
    }

    /// Levenshtein distance, one row of the table at a time.
    private static int distance(String word, String candidate) {
        var from = word.toLowerCase(Locale.ROOT);
        var to = candidate.toLowerCase(Locale.ROOT);
        var row = new int[to.length() + 1];
        for (var column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (var line = 1; line <= from.length(); line++) {
            var diagonal = row[0];
            row[0] = line;
            for (var column = 1; column < row.length; column++) {
                var replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
