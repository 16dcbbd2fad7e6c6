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

    /// Letters to insert, remove or replace, and neighbors to swap, whatever their case.
    public static int distance(String word, String candidate) {
        var from = word.toLowerCase(Locale.ROOT);
        var to = candidate.toLowerCase(Locale.ROOT);
        var table = new int[from.length() + 1][to.length() + 1];
        for (var i = 0; i <= from.length(); i++) {
            for (var j = 0; j <= to.length(); j++) {
                table[i][j] = Math.min(i, j) == 0 ? i + j : cheapest(table, from, to, i, j);
            }
        }
        return table[from.length()][to.length()];
    }

    private static int cheapest(int[][] table, String from, String to, int i, int j) {
        var last = from.charAt(i - 1);
        var replaced = table[i - 1][j - 1] + (last == to.charAt(j - 1) ? 0 : 1);
        var least = Math.min(replaced, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        var swapped =
                i > 1
                        && j > 1
                        && last == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, table[i - 2][j - 2] + 1) : least;
    }
}
