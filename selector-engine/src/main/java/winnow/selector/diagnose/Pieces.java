package winnow.selector.diagnose;

import java.util.List;
import winnow.selector.diagnose.Piece.Kind;

/// A text in pieces, without the white space between them.
final class Pieces {

    private final String text;
    private final List<Piece> all;
    private final Piece before;
    private final Piece after;

    private Pieces(String text, List<Piece> all) {
        this.text = text;
        this.all = all;
        this.before = new Piece(Kind.NONE, "", 0, 0);
        this.after = new Piece(Kind.NONE, "", text.length(), text.length());
    }

    static Pieces of(String text) {
        return new Pieces(text, new Scanner(text).scan());
    }

    String text() {
        return text;
    }

    int size() {
        return all.size();
    }

    /// A piece of kind NONE if the index is out of range.
    Piece get(int index) {
        if (index < 0) {
            return before;
        }
        return index < all.size() ? all.get(index) : after;
    }

    /// The text from one piece up to and including another.
    String text(int first, int last) {
        return text.substring(get(first).start(), get(last).end());
    }

    /// True if nothing stands between a piece and the next.
    boolean touchesNext(int index) {
        return get(index).end() == get(index + 1).start();
    }

    /// True if the piece and those after it begin a value: a minus or plus sign, or a value.
    boolean beginsValue(int index) {
        Piece piece = get(index);
        return piece.isValue() || piece.is(Kind.ARITHMETIC) || piece.is(Kind.OPEN);
    }

    /// The index of the first piece of the operand that ends before an index; the index itself if
    /// there is none.
    int operandStart(int end) {
        int start = end;
        int depth = 0;
        while (start > 0) {
            Piece piece = get(start - 1);
            if (piece.is(Kind.CLOSE)) {
                depth++;
            } else if (piece.is(Kind.OPEN)) {
                depth--;
            }
            if (depth < 0 || (depth == 0 && !isOperandPart(piece))) {
                break;
            }
            start--;
        }
        return start;
    }

    /// The index after the last piece of the operand that begins at an index; the index itself if
    /// there is none.
    int operandEnd(int start) {
        int end = start;
        int depth = 0;
        while (end < size()) {
            Piece piece = get(end);
            if (piece.is(Kind.OPEN)) {
                depth++;
            } else if (piece.is(Kind.CLOSE)) {
                depth--;
            }
            if (depth < 0 || (depth == 0 && !isOperandPart(piece))) {
                break;
            }
            end++;
        }
        return end;
    }

    private static boolean isOperandPart(Piece piece) {
        return piece.isValue()
                || piece.is(Kind.ARITHMETIC)
                || piece.is(Kind.OPEN)
                || piece.is(Kind.CLOSE);
    }

    /// True if pieces are one operand: no two values without an operator between them.
    boolean isOperand(int first, int end) {
        for (int i = first; i + 1 < end; i++) {
            boolean ends = get(i).isValue() || get(i).is(Kind.CLOSE);
            boolean begins = get(i + 1).isValue() || get(i + 1).is(Kind.OPEN);
            if (ends && begins) {
                return false;
            }
        }
        return first < end;
    }

    /// The index of the parenthesis that closes one; -1 if there is none.
    int closing(int open) {
        int depth = 0;
        for (int i = open; i < size(); i++) {
            if (get(i).is(Kind.OPEN)) {
                depth++;
            } else if (get(i).is(Kind.CLOSE) && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /// The index of the parenthesis that opens one; -1 if there is none.
    int opening(int close) {
        int depth = 0;
        for (int i = close; i >= 0; i--) {
            if (get(i).is(Kind.CLOSE)) {
                depth++;
            } else if (get(i).is(Kind.OPEN) && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /// A replacement by words, with spaces where they would run into what is around.
    Edit words(int first, int last, String words) {
        int start = get(first).start();
        int end = get(last).end();
        boolean left = start > 0 && runsInto(text.charAt(start - 1));
        boolean right = end < text.length() && runsInto(text.charAt(end));
        return new Edit(start, end, (left ? " " : "") + words + (right ? " " : ""));
    }

    private static boolean runsInto(char c) {
        return !Character.isWhitespace(c) && c != '(' && c != ')';
    }
}
