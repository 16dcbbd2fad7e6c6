package winnow.selector.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A part of a LIKE pattern whose place in the value is known: before the first `%` or after the
/// last. Matching is one pass over the part.
final class AnchoredPart {

    /// Runs of plain bytes, and an empty array for each `_`.
    private final byte[][] pieces;

    /// Plain bytes that are compared in the time that one character takes.
    private static final int BYTES_AT_ONCE = 16;

    private final int plainBytes;
    private final int anyCharacters;

    AnchoredPart(int[] part) {
        List<byte[]> collected = new ArrayList<>();
        int plain = 0;
        int any = 0;
        for (int i = 0; i < part.length; ) {
            if (part[i] == LikeCompiler.ANY) {
                collected.add(new byte[0]);
                any++;
                i++;
                continue;
            }
            int runEnd = i;
            while (runEnd < part.length && part[runEnd] != LikeCompiler.ANY) {
                runEnd++;
            }
            byte[] run = LikeCompiler.utf8(Arrays.copyOfRange(part, i, runEnd));
            collected.add(run);
            plain += run.length;
            i = runEnd;
        }
        this.pieces = collected.toArray(byte[][]::new);
        this.plainBytes = plain;
        this.anyCharacters = any;
    }

    /// Number of bytes of a part that is searched for that take as long.
    int work() {
        return anyCharacters + plainBytes / BYTES_AT_ONCE;
    }

    /// The position after the part if it matches at `position`, else -1.
    int matchForward(byte[] text, int position, int end) {
        int at = position;
        for (byte[] piece : pieces) {
            if (piece.length == 0) {
                if (at >= end) {
                    return -1;
                }
                at = Utf8.next(text, at, end);
            } else {
                int pieceEnd = at + piece.length;
                if (pieceEnd > end || !Arrays.equals(piece, 0, piece.length, text, at, pieceEnd)) {
                    return -1;
                }
                at = pieceEnd;
            }
        }
        return at;
    }

    /// The position at which the part has to start to end at `end`, or -1 if that is before
    /// `start`. Plain bytes are known in number; only a `_` has to be looked at.
    int startBackward(byte[] text, int start, int end) {
        if (anyCharacters == 0) {
            return end - plainBytes < start ? -1 : end - plainBytes;
        }
        int at = end;
        for (int i = pieces.length - 1; i >= 0; i--) {
            if (pieces[i].length == 0) {
                if (at <= start) {
                    return -1;
                }
                at = Utf8.previous(text, start, at);
            } else {
                at -= pieces[i].length;
                if (at < start) {
                    return -1;
                }
            }
        }
        return at;
    }
}
