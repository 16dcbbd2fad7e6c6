package winnow.selector.diagnose;

import java.util.List;

/// A part of a text that is in no selector.
///
/// @param start offset of the part
/// @param end offset after the part
/// @param problem one sentence, without a period
/// @param edits what corrects it; empty if that cannot be known
record Mistake(int start, int end, String problem, List<Edit> edits) {

    Mistake {
        edits = List.copyOf(edits);
    }

    /// Corrected by one replacement of the whole part.
    static Mistake of(int start, int end, String problem, String replacement) {
        return new Mistake(start, end, problem, List.of(new Edit(start, end, replacement)));
    }

    static Mistake of(Piece piece, String problem, String replacement) {
        return of(piece.start(), piece.end(), problem, replacement);
    }

    static Mistake uncorrected(Piece piece, String problem) {
        return new Mistake(piece.start(), piece.end(), problem, List.of());
    }
}
