package winnow.selector.diagnose;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.selector.diagnose.Piece.Kind;

/// Numbers that run into a keyword or have a leading zero.
final class NumberRule implements MistakeRule {

    private static final Pattern INTO_KEYWORD = Pattern.compile("([0-9.]+)(AND|OR)");
    private static final Pattern LEADING_ZEROS = Pattern.compile("0+([0-9]+)");

    @Override
    public void find(Pieces pieces, Consumer<Mistake> found) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (!piece.is(Kind.NUMBER)) {
                continue;
            }
            Matcher word = INTO_KEYWORD.matcher(piece.text().toUpperCase(Locale.ROOT));
            Matcher zeros = LEADING_ZEROS.matcher(piece.text());
            if (word.matches()) {
                found.accept(
                        Mistake.of(
                                piece,
                                "a space stands between a number and " + word.group(2),
                                word.group(1) + " " + word.group(2)));
            } else if (zeros.matches() && piece.text().matches(".*[89].*")) {
                found.accept(
                        Mistake.of(
                                piece,
                                "a number that begins with 0 is octal and has no 8 or 9",
                                zeros.group(1)));
            }
        }
    }
}
