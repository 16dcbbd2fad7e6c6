package winnow.selector.diagnose;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import winnow.selector.check.NameRules;

/// What is a valid selector but, as its spelling tells, hardly the one that was meant.
public final class Slips {

    /// What a slip is about.
    public enum Kind {
        HYPHEN,
        BACKSLASH,
        NAME_CASE
    }

    /// @param part of the text
    /// @param text one sentence
    public record Slip(Kind kind, String part, String text) {}

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
                                    + " another property");
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
                        "is not %s, because names differ by case".formatted(header));
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
                    "is a subtraction, because names have no hyphens; write %s - %s if it is meant"
                            .formatted(left, right));
        }
    }

    private void backslash(int i) {
        Piece pattern = pieces.get(i + 1);
        boolean unescaped =
                pieces.get(i).isKeyword("LIKE")
                        && pattern.text().contains("\\")
                        && !pieces.get(i + 2).isKeyword("ESCAPE");
        if (unescaped) {
            add(
                    Kind.BACKSLASH,
                    "LIKE " + pattern.text(),
                    "a backslash is an ordinary character; ESCAPE '\\' behind the pattern makes it"
                            + " escape % and _");
        }
    }

    private void add(Kind kind, String part, String text) {
        found.add(new Slip(kind, Excerpt.around(part, 0, Excerpt.COLUMNS), text));
    }
}
