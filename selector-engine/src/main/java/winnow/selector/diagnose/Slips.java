package winnow.selector.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import winnow.selector.check.NameRules;
import winnow.selector.error.Excerpt;

/// Parts of a valid selector whose spelling shows that something else was probably meant.
public final class Slips {

    /// Subject of a slip.
    public enum Kind {
        HYPHEN,
        BACKSLASH,
        NAME_CASE
    }

    /// @param part of the text
    /// @param text one sentence
    /// @param suggestion what to write instead of the part; null if that cannot be known
    public record Slip(Kind kind, String part, String text, @Nullable String suggestion) {}

    private static final List<String> OTHER_NAMES =
            List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXUserID", "JMSXAppID", "JMSXProducerTXID");

    private final Pieces pieces;
    private final List<Slip> found = new ArrayList<>();

    private Slips(Pieces pieces) {
        this.pieces = pieces;
    }

    /// @param text of a valid selector
    public static List<Slip> of(String text) {
        Slips slips = new Slips(Pieces.of(text));
        slips.find();
        return slips.found;
    }

    /// The selector with another name in place of one.
    public static String renamed(String selector, String name, String replacement) {
        Pieces pieces = Pieces.of(selector);
        StringBuilder renamed = new StringBuilder(selector);
        for (int i = pieces.size() - 1; i >= 0; i--) {
            Piece piece = pieces.get(i);
            if (piece.is(Piece.Kind.NAME) && piece.text().equals(name)) {
                renamed.replace(piece.start(), piece.end(), replacement);
            }
        }
        return renamed.toString();
    }

    private void find() {
        Set<String> names = new TreeSet<>();
        Set<String> anyCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.is(Piece.Kind.NAME) && names.add(piece.text())) {
                header(piece.text());
                if (!anyCase.add(piece.text())) {
                    add(
                            Kind.NAME_CASE,
                            piece.text(),
                            "another name in this selector differs from it by case only, and is"
                                    + " another property",
                            null);
                }
            }
            hyphen(i);
            backslash(i);
        }
    }

    private void header(String name) {
        List<String> known = new ArrayList<>(NameRules.headers());
        known.addAll(OTHER_NAMES);
        for (String header : known) {
            if (header.equalsIgnoreCase(name) && !header.equals(name)) {
                add(
                        Kind.NAME_CASE,
                        name,
                        "is not %s, because names differ by case".formatted(header),
                        header);
            }
        }
    }

    private void hyphen(int i) {
        boolean hyphenated =
                pieces.get(i).is(Piece.Kind.NAME)
                        && pieces.get(i + 1).text().equals("-")
                        && pieces.get(i + 2).is(Piece.Kind.NAME)
                        && pieces.touchesNext(i)
                        && pieces.touchesNext(i + 1);
        if (hyphenated) {
            String left = pieces.get(i).text();
            String right = pieces.get(i + 2).text();
            add(
                    Kind.HYPHEN,
                    left + "-" + right,
                    ("is a subtraction, because names have no hyphens; write %s - %s if that is"
                                    + " meant, or give the property another name")
                            .formatted(left, right),
                    left + "_" + right);
        }
    }

    private void backslash(int i) {
        Piece pattern = pieces.get(i + 1);
        int name = pieces.get(i - 1).isKeyword("NOT") ? i - 2 : i - 1;
        boolean unescaped =
                pieces.get(i).isKeyword("LIKE")
                        && pattern.text().contains("\\")
                        && !pieces.get(i + 2).isKeyword("ESCAPE");
        if (unescaped) {
            String part = pieces.text(name, i + 1);
            // Before any other character a backslash that escapes is an error.
            boolean escapes = pattern.content().matches("([^\\\\]|\\\\[%_\\\\])*");
            add(
                    Kind.BACKSLASH,
                    part,
                    "a backslash is an ordinary character; ESCAPE '\\' behind the pattern makes it"
                            + " escape % and _",
                    escapes ? part + " ESCAPE '\\'" : null);
        }
    }

    private void add(Kind kind, String part, String text, @Nullable String suggestion) {
        found.add(new Slip(kind, Excerpt.around(part, 0, Excerpt.COLUMNS), text, suggestion));
    }
}
